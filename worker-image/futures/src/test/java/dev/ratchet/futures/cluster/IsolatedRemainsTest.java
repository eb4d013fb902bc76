/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
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

    private static Set<Path> sockets() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith("ratchet-tasks-"))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void aWorkerThatEndsLeavesNoProcessNoThreadAndNoSocket() throws Exception {
        Set<Path> socketsBefore = sockets();
        Path log = directory.resolve("log");
        Set<Long> processes;
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
        }

        assertThat(processes).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
        assertThat(sockets()).isEqualTo(socketsBefore);
        Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(threads())
                .as("threads that talk to processes")
                .isEmpty());
    }
}
