/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker that ran isolated tasks leaves on its machine when it ends. */
class IsolatedRemainsTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final SubmitOptions ISOLATED =
            SubmitOptions.ofJob("remains").withIsolation().withMaxRetries(0);

    @TempDir
    Path directory;

    /** Notes its process; waits for the next lower one; the lowest goes on for ever. */
    private record Waiting(int height, String log) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            Files.writeString(
                    Path.of(log),
                    ProcessHandle.current().pid() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            while (height == 0) {
                Thread.onSpinWait();
            }
            return Ratchet.current()
                    .submit(ISOLATED, new Waiting(height - 1, log))
                    .get();
        }
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("ratchet-process-"))
                .collect(Collectors.toSet());
    }

    /** Folders of the sockets that this process serves; other builds on this machine have theirs beside them. */
    private static Set<Path> sockets() throws IOException {
        Set<String> open = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    open.add(Files.readSymbolicLink(descriptor).toString());
                } catch (NoSuchFileException closed) {
                    // By another thread, since they were listed.
                }
            }
        }
        return Files.readAllLines(Path.of("/proc/net/unix")).stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(cells -> cells.length == 8
                        && cells[7].contains("/ratchet-tasks-")
                        && open.contains("socket:[" + cells[6] + "]"))
                .map(cells -> Path.of(cells[7]).getParent())
                .collect(Collectors.toSet());
    }

    @Test
    void aWorkerThatEndsLeavesNoProcessNoThreadAndNoSocket() throws Exception {
        Path log = directory.resolve("log");
        Set<Long> processes;
        Set<Path> sockets;
        try (TestCluster cluster = new TestCluster(directory.resolve("cluster"))) {
            cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            assertThat(ratchet.submit(ISOLATED, () -> new byte[1_000_000]).get(LIMIT))
                    .hasSize(1_000_000);
            var unused = ratchet.submit(ISOLATED, new Waiting(3, log.toString()));
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> Files.exists(log) && Files.readAllLines(log).size() == 4);
            processes = Files.readAllLines(log).stream().map(Long::parseLong).collect(Collectors.toSet());
            assertThat(processes).hasSize(2).allMatch(pid -> ProcessHandle.of(pid)
                    .isPresent());
            assertThat(threads()).isNotEmpty();
            sockets = sockets();
            assertThat(sockets).isNotEmpty().allMatch(Files::isDirectory);
        }

        assertThat(processes).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
        assertThat(sockets).noneMatch(Files::exists);
        Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(threads())
                .as("threads that talk to processes")
                .isEmpty());
    }
}
