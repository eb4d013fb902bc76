/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values that nothing can compute again are moved, copied, used and deleted by several programs at once: those that
 * nobody deletes are there, whatever happens to the others.
 */
class PlacementTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int WORKERS = 3;
    private static final int VALUES = 6;
    private static final int PROGRAMS = 3;
    private static final int STEPS = 25;

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<TestWorker> workers = new ArrayList<>();
    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory);
        for (int seat = 0; seat < WORKERS; seat++) {
            workers.add(cluster.start(seat, 2));
        }
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void nothingThatNobodyDeletesIsLostWhereverItIsMoved(long seed) throws Exception {
        Ratchet ratchet = cluster.connect();
        List<FutureId> kept = new ArrayList<>();
        List<FutureId> deleted = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            DurableFuture<byte[]> value = ratchet.put(Tasks.bytes(size(i)));
            value.submitted().toCompletableFuture().join();
            (i % 3 == 2 ? deleted : kept).add(value.id());
        }
        List<CompletableFuture<Void>> programs = new ArrayList<>();
        for (int program = 0; program < PROGRAMS; program++) {
            Random random = new Random(31 * seed + program);
            Ratchet own = cluster.connect();
            programs.add(CompletableFuture.runAsync(() -> place(own, kept, deleted, random), threads));
        }
        for (FutureId id : deleted) {
            ratchet.deleteAll(List.of(ratchet.<byte[]>future(id)));
        }
        programs.forEach(CompletableFuture::join);

        for (int i = 0; i < kept.size(); i++) {
            FutureId id = kept.get(i);
            assertThat(cluster.connect().<byte[]>future(id).get(LIMIT))
                    .as("seed " + seed + " value " + i)
                    .hasSize(size(i / 2 * 3 + i % 2));
        }
    }

    private static int size(int value) {
        return 20_000 + 30_000 * value;
    }

    private static void place(Ratchet ratchet, List<FutureId> kept, List<FutureId> deleted, Random random) {
        for (int step = 0; step < STEPS; step++) {
            boolean mayBeGone = random.nextInt(4) == 0;
            List<FutureId> some = mayBeGone ? deleted : kept;
            DurableFuture<byte[]> value = ratchet.future(some.get(random.nextInt(some.size())));
            int what = random.nextInt(4);
            try {
                switch (what) {
                    case 0 -> ratchet.replicate(value, 1 + random.nextInt(WORKERS));
                    case 1 -> assertThat(value.get(LIMIT)).isNotEmpty();
                    default -> ratchet.transfer(value, "orders-w-" + random.nextInt(WORKERS));
                }
            } catch (Exception failure) {
                // Who moves what another one moves at the same time may be refused; who only reads never is.
                if (!mayBeGone && what == 1) {
                    throw new AssertionError("A value that nobody deletes: " + value.id(), failure);
                }
            }
        }
    }
}
