/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRecordTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    @Test
    void aRecordedProcessIsFoundAndKilled() throws Exception {
        Process process = new ProcessBuilder("sleep", "100").start();
        ProcessRecord record = new ProcessRecord(directory.resolve("pods/uid/containers/main.pid"));
        record.write(process.pid());
        assertThat(ProcessRecord.below(directory)).containsExactly(record);
        assertThat(record.process().map(ProcessHandle::pid)).contains(process.pid());
        assertThat(record.kill()).isTrue();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(record.kill()).isFalse();
    }

    @Test
    void aProcessThatHasTakenOverTheIdIsLeftAlone() throws Exception {
        Process other = new ProcessBuilder("sleep", "100").start();
        ProcessRecord record = new ProcessRecord(directory.resolve("main.pid"));
        Files.writeString(record.file(), other.pid() + " 1000\n");
        assertThat(record.process()).isEmpty();
        assertThat(record.kill()).isFalse();
        assertThat(other.isAlive()).isTrue();
        other.destroyForcibly();
    }

    @Test
    void aRecordIsRemovedOnlyByItsOwnProcess() {
        ProcessRecord record = new ProcessRecord(directory.resolve("main.pid"));
        long own = ProcessHandle.current().pid();
        record.write(own);
        record.remove(own * 10);
        assertThat(record.file()).exists();
        record.remove(own);
        assertThat(record.file()).doesNotExist();
    }

    /**
     * What happens when the process that started a container is killed: the other end of the launcher's input is
     * closed.
     */
    @Test
    void allProcessesOfAContainerDieWithTheirParent() throws IOException {
        Path pids = directory.resolve("pids");
        String script = new String(
                ProcessRecord.class.getResourceAsStream("launch.sh").readAllBytes(),
                java.nio.charset.StandardCharsets.UTF_8);
        Process launcher = new ProcessBuilder(
                        "sh",
                        "-c",
                        script,
                        "launch",
                        "sh",
                        "-c",
                        "trap '' TERM; sleep 300 & echo $$ $! > " + pids + ".part; mv " + pids + ".part " + pids
                                + "; sleep 300")
                .start();
        await().atMost(LIMIT).until(() -> Files.exists(pids));
        String[] numbers = Files.readString(pids).strip().split(" ", 2);
        launcher.getOutputStream().close();
        for (String number : numbers) {
            await().atMost(LIMIT).until(() -> ProcessHandle.of(Long.parseLong(number))
                    .filter(ProcessHandle::isAlive)
                    .isEmpty());
        }
        await().atMost(LIMIT).until(() -> !launcher.isAlive());
        assertThat(launcher.exitValue()).isEqualTo(137);
    }
}
