/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results in files that can not be opened for a while, as when a worker has too many files open. */
class UnreadableTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int LARGE = 300_000;
    private static final SubmitOptions OPTIONS = SubmitOptions.ofJob("unreadable");

    @TempDir
    private Path directory;

    private TestCluster cluster;
    private TestWorker holder;
    private Ratchet ratchet;
    private DurableFuture<byte[]> value;
    private Path file;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory);
        holder = cluster.start(0, 2);
        cluster.start(1, 2);
        ratchet = cluster.connect();
        value = ratchet.submit(on(0), () -> Tasks.bytes(LARGE));
        assertThat(value.get(LIMIT)).hasSize(LARGE);
        long bytes = cluster.record(value.id()).getResult().getObject().getBytes();
        try (Stream<Path> files = Files.walk(directory)) {
            file = files.filter(one -> one.toFile().isFile() && one.toFile().length() == bytes)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void aTaskOnTheSameWorkerWaits() throws Exception {
        assertThat(whileUnreadable(() -> ratchet.then(on(0), value, Tasks.length()))
                        .get(LIMIT))
                .isEqualTo(LARGE);
        assertNothingWasComputedAgain();
    }

    @Test
    void aTaskOnAnotherWorkerWaits() throws Exception {
        assertThat(whileUnreadable(() -> ratchet.then(on(1), value, Tasks.length()))
                        .get(LIMIT))
                .isEqualTo(LARGE);
        assertNothingWasComputedAgain();
    }

    @Test
    void aProgramWaits() throws Exception {
        Ratchet other = cluster.connect();
        assertThat(whileUnreadable(() -> CompletableFuture.supplyAsync(() -> other.<byte[]>future(value.id())
                                .toCompletableFuture()
                                .join()))
                        .join())
                .isEqualTo(Tasks.bytes(LARGE));
        assertNothingWasComputedAgain();
    }

    private <T> T whileUnreadable(Callable<T> begin) throws Exception {
        Path aside = file.resolveSibling("aside");
        Files.move(file, aside);
        Files.createSymbolicLink(file, file.getFileName());
        double before = holder.figure("objects_unreadable_total");
        T begun = begin.call();
        Awaitility.await().atMost(LIMIT).until(() -> holder.figure("objects_unreadable_total") > before);
        // At once: where there is no file for a moment, the value is missing.
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        return begun;
    }

    private void assertNothingWasComputedAgain() {
        assertThat(ratchet.summary("unreadable").recomputed()).isZero();
        assertThat(holder.figure("objects_missing_total")).isZero();
    }

    private static SubmitOptions on(int seat) {
        return OPTIONS.withLocality(Locality.onSeat("orders-w-" + seat).withRequired());
    }
}
