/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedExecutions;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.simulation.check.ClusterRules;
import dev.ratchet.simulation.cluster.FuturesWork;
import dev.ratchet.simulation.cluster.SimulatedClient;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Workers that have become healthy, one of them the coordinator, a client, and every rule looked at. */
final class FuturesCluster implements AutoCloseable {

    final SimulatedCluster cluster;
    final SimulatedClient client;
    final SimulatedExecutions executions;
    final List<SimulatedWorker> workers = new ArrayList<>();
    private int tasks;

    FuturesCluster(long seed, int seats, Path directory) {
        this(seed, seats, parts -> new FuturesWork(parts, directory));
    }

    FuturesCluster(long seed, int seats, SimulatedCluster.WorkFactory work) {
        this(new SimulatedCluster(seed).with(work), seats);
    }

    /** @param cluster without workers; those that are started have the work of futures */
    FuturesCluster(SimulatedCluster cluster, int seats) {
        this.cluster = cluster;
        executions = new SimulatedExecutions(cluster.world);
        new ClusterRules(cluster, executions);
        client = new SimulatedClient(cluster);
        for (int seat = 0; seat < seats; seat++) {
            workers.add(cluster.start("orders-w-" + seat));
        }
        cluster.world.until(
                "all work and one leads",
                10_000,
                () -> workers.stream().allMatch(SimulatedWorker::isHealthy)
                        && cluster.coordinator().isPresent());
    }

    FutureId submit(long millis) {
        tasks++;
        return client.submit(new SimulatedTask(tasks, millis, SimulatedTask.Kind.SMALL), List.of());
    }

    /** As {@link #submit(long)}, and says whether the task has external effects; more than half a second. */
    FutureId submit(long millis, boolean externalEffects) {
        tasks++;
        FutureId id = new FutureId(new UUID(tasks, externalEffects ? 0 : 1));
        client.submit(id, new SimulatedTask(tasks, millis, SimulatedTask.Kind.SMALL), List.of());
        return id;
    }

    SimulatedTask task(FutureId id) {
        return client.submitted().stream()
                .filter(submitted -> submitted.id().equals(id))
                .findFirst()
                .orElseThrow()
                .task();
    }

    /** The worker that the task runs on now, once it does. */
    SimulatedWorker runner(FutureId id) {
        cluster.world.until(
                "the task runs", 10_000, () -> !executions.of(task(id)).isEmpty());
        return workers.stream()
                .filter(worker ->
                        worker.process() == executions.of(task(id)).getLast().process())
                .findFirst()
                .orElseThrow();
    }

    int times(FutureId id) {
        return executions.of(task(id)).size();
    }

    FutureRecord record(FutureId id) {
        FutureKeys keys = new FutureKeys(cluster.keyspace);
        return cluster.await(cluster.database.readAsync(transaction -> keys.record(transaction, id)))
                .orElseThrow();
    }

    void untilDone(long withinMillis) {
        cluster.world.until("everything submitted has ended", withinMillis, client::isDone);
    }

    @Override
    public void close() {
        cluster.workers().forEach(SimulatedWorker::kill);
        executions.close();
    }
}
