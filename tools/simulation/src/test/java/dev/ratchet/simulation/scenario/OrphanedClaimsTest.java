/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.RequirementClasses;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.queue.WorkQueue.Slice;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims of a worker that lives, of which it has never heard. */
class OrphanedClaimsTest {

    /** More than are read at once. */
    private static final int ORPHANS = 1_200;

    private static final int BATCH = 200;
    private static final int THREADS = 2;
    private static final long FOUND_WITHIN_MILLIS = 90_000;
    private static final long LONG_MILLIS = 400_000;
    /** Too long to be run by whoever records it. */
    private static final long BRIEF_MILLIS = 600;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void allAreGivenBackWithinNinetySecondsThoughTheyAreMoreThanIsReadAtOnce(long seed) {
        try (FuturesCluster futures = new FuturesCluster(seed, 1, directory)) {
            SimulatedCluster cluster = futures.cluster;
            futures.client.submitTogether(IntStream.rangeClosed(1, THREADS)
                    .mapToObj(number -> new SimulatedTask(number, LONG_MILLIS, Kind.SMALL))
                    .toList());
            cluster.world.run(2_000);
            for (int submitted = 0; submitted < ORPHANS + BATCH; submitted += BATCH) {
                futures.client.submitTogether(IntStream.range(submitted, submitted + BATCH)
                        .mapToObj(number -> new SimulatedTask(1_000 + number, BRIEF_MILLIS, Kind.SMALL))
                        .toList());
            }
            cluster.world.run(5_000);

            List<Claimed> orphans = claimUnheard(cluster, futures.workers.getFirst());
            cluster.world.run(FOUND_WITHIN_MILLIS);

            assertThat(orphans)
                    .as("seed " + seed + ": claims in force")
                    .noneMatch(orphan -> isInForce(futures, orphan));
        }
    }

    private static boolean isInForce(FuturesCluster futures, Claimed claimed) {
        FutureRecord now = futures.record(claimed.id());
        return now.getState() == State.STATE_CLAIMED && now.getClaim().equals(claimed.token());
    }

    /** Claims for the seat of the worker, whose answers nobody tells it. */
    private static List<Claimed> claimUnheard(SimulatedCluster cluster, SimulatedWorker worker) {
        FutureKeys keys = new FutureKeys(cluster.keyspace);
        FutureStore store = new FutureStore(cluster.engine.database(worker.process()), keys, worker.process());
        Claimer claimer = new Claimer(store, worker.seat(), new RequirementClasses(keys), () -> new Slice(0, 1, 1));
        List<Claimed> claimed = new ArrayList<>();
        while (claimed.size() < ORPHANS) {
            claimed.addAll(cluster.await(claimer.claim(new Room(BATCH, Capacity.ofThreads(BATCH), BATCH))));
        }
        return claimed;
    }
}
