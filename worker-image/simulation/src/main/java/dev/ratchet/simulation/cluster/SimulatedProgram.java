/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.client.RemoteRatchet;
import dev.ratchet.simulation.world.VirtualProcess;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A user's program: the client library as it is, over the simulated network. What it maps travels in blocks; what it
 * holds, it holds under a lease that ends with it. It dials whichever worker is there, as a Service would.
 */
public final class SimulatedProgram {

    private static final String MAPPED = "mapped";
    private static final String HELD = "held";

    /** The jobs of its futures. */
    public static final Set<String> JOBS = Set.of(MAPPED, HELD);

    private static final String ENDPOINT = "orders-client:7400";
    private static final String NOBODY = "nobody:7400";
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final SimulatedCluster cluster;
    private final VirtualProcess process;
    private final RemoteRatchet ratchet;
    private final List<Mapped> mapped = new ArrayList<>();
    private final Map<FutureId, End> ends = new LinkedHashMap<>();
    private final List<FutureId> held = new ArrayList<>();
    private int unsubmitted;

    /** One future and the task that it is. */
    public record Mapped(SimulatedTask task, DurableFuture<Object> future) {}

    /** How a future has ended for the program. */
    public record End(@Nullable Object value, Optional<Throwable> failure) {}

    public SimulatedProgram(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.process = new VirtualProcess(cluster.world, "program", 0);
        GatewayConnection connection = new GatewayConnection(
                SimulatedCluster.NAMESPACE,
                SimulatedCluster.NAME,
                List.of(ENDPOINT),
                endpoint -> dial(),
                process,
                PATIENCE);
        ratchet = new RemoteRatchet(connection, new ConnectionOptions("", List.of(), List.of(), PATIENCE), () -> {});
    }

    private ManagedChannel dial() {
        List<SimulatedWorker> there =
                cluster.workers().stream().filter(worker -> !worker.isGone()).toList();
        String address = there.isEmpty()
                ? NOBODY
                : there.get(cluster.world.random().nextInt(there.size())).address();
        return cluster.network.channel(process, address);
    }

    /** Maps so many elements by one task. */
    public void map(SimulatedTask task, int elements) {
        submit(task, SubmitOptions.ofJob(MAPPED).withMaxRetries(SimulatedClient.retries(task)), elements);
    }

    /** Submits a task whose result is needed by this program and nobody else, as long as it lives. */
    public void hold(SimulatedTask task) {
        SubmitOptions options = SubmitOptions.ofJob(HELD).withMaxRetries(SimulatedClient.retries(task));
        submit(task, options.withRetention(Duration.ZERO), 1);
    }

    /** Those that only this program needs. */
    public List<FutureId> held() {
        return List.copyOf(held);
    }

    private void submit(SimulatedTask task, SubmitOptions options, int elements) {
        unsubmitted++;
        process.executor().execute(() -> {
            unsubmitted--;
            List<Integer> arguments = IntStream.rangeClosed(1, elements).boxed().toList();
            List<DurableFuture<Object>> futures = ratchet.map(options, arguments, task);
            for (int i = 0; i < elements; i++) {
                DurableFuture<Object> future = futures.get(i);
                if (options.retention().isPresent()) {
                    held.add(future.id());
                }
                mapped.add(new Mapped(task.element(arguments.get(i)), future));
                var unused = future.whenComplete((value, failure) -> {
                    cluster.world.note("the program knows how " + future.id() + " has ended");
                    ends.put(future.id(), new End(value, Optional.ofNullable(failure)));
                });
            }
        });
    }

    /** Cancels one of the futures, if there are so many; which one it was. */
    public Optional<FutureId> cancel(int which) {
        if (which >= mapped.size() || process.isDead()) {
            return Optional.empty();
        }
        DurableFuture<Object> future = mapped.get(which).future();
        process.threads().newThread(future::cancel).start();
        return Optional.of(future.id());
    }

    /** As kill -9. */
    public void kill() {
        process.kill();
        cluster.network.died(process);
    }

    public boolean isDead() {
        return process.isDead();
    }

    /** Whether it knows how everything has ended, or will never know anything again. */
    public boolean isDone() {
        return process.isDead() || (unsubmitted == 0 && ends.size() == mapped.size());
    }

    /** What it has submitted, in order. */
    public List<Mapped> mapped() {
        return List.copyOf(mapped);
    }

    /** What it knows of how they have ended. */
    public Map<FutureId, End> ends() {
        return Map.copyOf(ends);
    }
}
