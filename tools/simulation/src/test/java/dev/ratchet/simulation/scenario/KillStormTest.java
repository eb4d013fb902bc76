/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.cluster.FuturesWork;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What it costs to compute again while workers are killed one after the other; every rule is looked at throughout. */
class KillStormTest {

    private static final int WORKERS = 6;
    private static final int CHAINS = 6;
    private static final int LINKS = 40;
    private static final long LINK_MILLIS = 1_000;
    private static final long KILL_MILLIS = 4_000;
    private static final int KILLS_MAX = 49;
    private static final long OBJECT_BYTES = 64 << 20;

    @TempDir
    Path directory;

    private FuturesCluster futures;
    /** The future that each one is computed from. */
    private final Map<FutureId, FutureId> upstream = new HashMap<>();

    private final List<SimulatedWorker> workers = new ArrayList<>();

    @AfterEach
    void close() {
        futures.close();
    }

    @Test
    void hardlyMoreIsComputedAgainThanIsLost() {
        futures = new FuturesCluster(1, WORKERS, parts -> new FuturesWork(parts, directory, OBJECT_BYTES));
        workers.addAll(futures.workers);
        for (int chain = 0; chain < CHAINS; chain++) {
            submitChain(chain * LINKS);
        }
        int lost = 0;
        int kills = 0;
        while (!futures.client.isDone() && kills < KILLS_MAX) {
            futures.cluster.world.run(KILL_MILLIS);
            kills++;
            lost += killOne(kills);
        }
        futures.untilDone(600_000);
        int again = upstreamsAndEnds().stream()
                .mapToInt(id -> futures.times(id) - 1)
                .sum();
        double bytes = futures.cluster.workers().stream()
                .mapToDouble(worker -> ((FuturesWork) worker.work()).metric("objects_second_copies_bytes_total"))
                .sum();
        System.out.println("Kill storm: kills=" + kills + " lost=" + lost + " computedAgain=" + again
                + " secondCopiesBytes=" + (long) bytes);
        assertThat(bytes).as("bytes of second copies").isPositive();
        assertThat((double) again).isLessThanOrEqualTo(1.5 * lost);
    }

    private List<FutureId> upstreamsAndEnds() {
        return futures.client.submitted().stream()
                .map(submitted -> submitted.id())
                .toList();
    }

    private void submitChain(int first) {
        FutureId last = null;
        for (int link = 1; link <= LINKS; link++) {
            SimulatedTask task = new SimulatedTask(first + link, LINK_MILLIS, SimulatedTask.Kind.LARGE);
            FutureId next = futures.client.submit(task, last == null ? List.of() : List.of(last));
            if (last != null) {
                upstream.put(next, last);
            }
            last = next;
        }
    }

    /** Kills any worker and starts its successor; how much work is lost that somebody still needs. */
    private int killOne(int kill) {
        int which = futures.cluster.world.random().nextInt(WORKERS);
        SimulatedWorker killed = workers.get(which);
        int lost = killed.isGone() ? 0 : held(killed) + (int) futures.executions.live(killed.process());
        killed.kill();
        workers.set(which, futures.cluster.start(killed.name(), "pod-" + kill, "10.1.0." + kill + ":7400"));
        return lost;
    }

    /** Results that nobody else holds, and something that has not ended is computed from. */
    private int held(SimulatedWorker worker) {
        Map<FutureId, FutureRecord> records = records();
        return (int) upstream.entrySet().stream()
                .filter(edge -> records.get(edge.getKey()).getState() != State.STATE_REALIZED)
                .filter(edge -> isHeldByNobodyElse(records.get(edge.getValue()), worker))
                .count();
    }

    private static boolean isHeldByNobodyElse(FutureRecord record, SimulatedWorker worker) {
        return record.getState() == State.STATE_REALIZED
                && record.getResult().hasObject()
                && record.getResult().getObject().getCopiesList().stream()
                        .allMatch(copy -> copy.getSeat().equals(worker.name()));
    }

    private Map<FutureId, FutureRecord> records() {
        FutureKeys keys = new FutureKeys(futures.cluster.keyspace);
        return futures.cluster.await(futures.cluster.database.readAsync(transaction -> {
            Map<FutureId, FutureRecord> found = new HashMap<>();
            List<CompletableFuture<Void>> reads = upstreamsAndEnds().stream()
                    .map(id -> keys.record(transaction, id)
                            .thenAccept(record -> found.put(id, record.orElse(FutureRecord.getDefaultInstance()))))
                    .toList();
            return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                    .thenApply(unused -> found);
        }));
    }
}
