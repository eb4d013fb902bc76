/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of processes that isolated tasks start. */
@OnCluster(threads = 1)
class IsolatedChildrenTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final SubmitOptions ISOLATED =
            SubmitOptions.ofJob("children").withIsolation().withMaxRetries(0);

    private final Ratchet ratchet;

    @TempDir
    Path directory;

    IsolatedChildrenTest(Ratchet ratchet) {
        this.ratchet = ratchet;
    }

    /** Starts a process that ends by itself much later, and notes it; then does the deed. */
    private record Parent(String file, SerializableCallable<Integer> deed) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            Process child = new ProcessBuilder("sleep", "3600").start();
            Path written = Path.of(file + ".new");
            Files.writeString(written, Long.toString(child.pid()));
            Files.move(written, Path.of(file));
            return deed.call();
        }
    }

    private long child(Path file) throws IOException {
        Awaitility.await().atMost(LIMIT).until(() -> Files.exists(file));
        return Long.parseLong(Files.readString(file));
    }

    /** What nobody has collected yet has ended all the same. */
    private static boolean runs(long pid) throws IOException {
        try {
            return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (NoSuchFileException collected) {
            return false;
        }
    }

    private static void assertEnds(long pid) {
        Awaitility.await().atMost(LIMIT).until(() -> !runs(pid));
    }

    @Test
    void theyEndWithATaskThatExits() throws Exception {
        Path file = directory.resolve("child");
        var unused = ratchet.submit(ISOLATED, new Parent(file.toString(), () -> {
            System.exit(1);
            return 0;
        }));

        assertEnds(child(file));
    }

    @Test
    void theyEndWithATaskThatHasToBeKilled() throws Exception {
        Path file = directory.resolve("child");
        DurableFuture<Integer> stubborn = ratchet.submit(ISOLATED, new Parent(file.toString(), () -> {
            while (true) {
                Thread.onSpinWait();
            }
        }));
        long child = child(file);

        assertThat(stubborn.cancel()).isTrue();

        assertEnds(child);
    }
}
