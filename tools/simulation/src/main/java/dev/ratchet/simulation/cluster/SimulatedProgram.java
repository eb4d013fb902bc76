/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import dev.ratchet.client.Actor;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.simulated.SimulatedCall;
import dev.ratchet.client.simulated.SimulatedDataset;
import dev.ratchet.client.simulated.SimulatedGenerator;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.client.RemoteRatchet;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.simulation.world.VirtualProcess;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A user's program: the client library as it is, over the simulated network. What it maps travels in blocks; what it
 * holds, it holds under a lease that ends with it. It dials whichever worker is there, as a Service would.
 */
public final class SimulatedProgram {

    private static final String MAPPED = "mapped";
    private static final String HELD = "held";
    private static final String CALLED = "called";
    private static final String ACTOR = "numbers";
    private static final String GROUPED = "grouped";
    private static final String SPECULATED = "speculated";

    /** The job of generators. */
    public static final String GENERATED = "generated";

    /** The jobs of its futures. */
    public static final Set<String> JOBS = Set.of(MAPPED, HELD, CALLED, GENERATED, GROUPED, SPECULATED);

    /** How far generators may be ahead of what is read. */
    private static final int ITEMS_AHEAD = 4;

    private static final int RETRIES = 20;
    private static final String ENDPOINT = "orders-client:7400";
    private static final String NOBODY = "nobody:7400";
    private static final Duration TIMEOUT = Duration.ofHours(1);

    private final SimulatedCluster cluster;
    private final VirtualProcess process;
    private final RemoteRatchet ratchet;
    private final List<Mapped> mapped = new ArrayList<>();
    private final List<Called> called = new ArrayList<>();
    private final List<Mapped> speculated = new ArrayList<>();
    private final Map<FutureId, Object> told = new LinkedHashMap<>();
    private final Map<FutureId, End> ends = new LinkedHashMap<>();
    private final Set<FutureId> known;
    private final List<FutureId> held = new ArrayList<>();
    private final List<String> wrongReads = new ArrayList<>();
    private boolean removed;
    private int unsubmitted;
    private int reading;

    /** A future of the program. */
    public interface Submitted {
        DurableFuture<?> future();

        default FutureId id() {
            return future().id();
        }
    }

    /** One future and the task that it is. */
    public record Mapped(SimulatedTask task, DurableFuture<Object> future) implements Submitted {}

    /**
     * A call of the actor, or a read.
     *
     * @param after those whose ends it knew, or another program, when it submitted this one
     */
    public record Called(SimulatedCall call, DurableFuture<List<Integer>> future, Set<FutureId> after)
            implements Submitted {}

    /** How a future has ended for the program. */
    public record End(@Nullable Object value, Optional<Throwable> failure) {}

    /**
     * Starts it.
     *
     * @param name of its process
     * @param known futures whose ends programs know; it adds those of which it learns
     */
    public SimulatedProgram(SimulatedCluster cluster, String name, Set<FutureId> known) {
        this.cluster = cluster;
        this.known = known;
        this.process = new VirtualProcess(cluster.world, name, 0);
        process.makeFrail();
        GatewayConnection connection = new GatewayConnection(
                SimulatedCluster.NAMESPACE,
                SimulatedCluster.NAME,
                List.of(ENDPOINT),
                endpoint -> dial(),
                process,
                TIMEOUT);
        ratchet = new RemoteRatchet(
                connection, new ConnectionOptions("", List.of(), List.of(), TIMEOUT, List.of()), () -> {});
    }

    private ManagedChannel dial() {
        process.mayStray("a dial");
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

    /**
     * Maps so many elements by a task whose results are needed by this program and nobody else, as long as it lives.
     */
    public void hold(SimulatedTask task, int elements) {
        SubmitOptions options = SubmitOptions.ofJob(HELD).withMaxRetries(SimulatedClient.retries(task));
        submit(task, options.withRetention(Duration.ZERO), elements);
    }

    /** Those that only this program needs. */
    public List<FutureId> held() {
        return List.copyOf(held);
    }

    private void submit(SimulatedTask task, SubmitOptions options, int elements) {
        if (removed) {
            return;
        }
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
                Mapped one = new Mapped(task.element(arguments.get(i)), future);
                mapped.add(one);
                observe(one);
            }
        });
    }

    /** Submits so many short tasks, each by itself, whose values may be told before they are recorded. */
    public void speculate(SimulatedTask task, int elements) {
        SubmitOptions options = SubmitOptions.ofJob(SPECULATED)
                .withMaxRetries(SimulatedClient.retries(task))
                .withSpeculativeValue();
        if (removed) {
            return;
        }
        unsubmitted++;
        process.executor().execute(() -> {
            unsubmitted--;
            List<Integer> arguments = IntStream.rangeClosed(1, elements).boxed().toList();
            List<DurableFuture<Object>> futures = ratchet.map(options, arguments, task);
            for (int i = 0; i < elements; i++) {
                Mapped one = new Mapped(task.element(arguments.get(i)), futures.get(i));
                speculated.add(one);
                var unused = one.future().thenAccept(value -> {
                    boolean early = !ends.containsKey(one.id());
                    cluster.world.note("the " + process.name() + " is told " + value + (early ? " early" : ""));
                    told.put(one.id(), value);
                });
                observe(one);
            }
        });
    }

    /** Values that it was told, recorded or not. */
    public Map<FutureId, Object> told() {
        return Map.copyOf(told);
    }

    /** What it has speculated on, in order. */
    public List<Mapped> speculated() {
        return List.copyOf(speculated);
    }

    private void observe(Submitted submitted) {
        var unused = submitted.future().durable().whenComplete((value, failure) -> {
            if (removed) {
                return;
            }
            cluster.world.note("the " + process.name() + " knows how " + submitted.id() + " has ended");
            ends.put(submitted.id(), new End(value, Optional.ofNullable(failure)));
            known.add(submitted.id());
        });
    }

    /** The id of the actor. */
    public static FutureId actor() {
        return FutureId.ofKey(SchedulingSpecs.DEFAULT_TENANT, "actor " + ACTOR);
    }

    /** Calls the actor, of which there is one. */
    public void call(SimulatedCall call) {
        if (removed) {
            return;
        }
        unsubmitted++;
        process.executor().execute(() -> {
            unsubmitted--;
            Actor<List<Integer>> actor = ratchet.actor(SubmitOptions.ofJob(CALLED), ACTOR, SimulatedCall.emptyState())
                    .withConcurrentCallsMax(call.concurrentMax());
            SubmitOptions options = SubmitOptions.ofJob(CALLED).withMaxRetries(SimulatedClient.retries(call.task()));
            Set<FutureId> after = Set.copyOf(known);
            boolean isRead = call.use() == SimulatedCall.Use.READ;
            Called one = new Called(call, isRead ? actor.read(options, call) : actor.call(options, call), after);
            called.add(one);
            observe(one);
        });
    }

    /** Has items generated, and reads them all. */
    public void generate(SimulatedGenerator generator) {
        SubmitOptions options = SubmitOptions.ofJob(GENERATED).withMaxRetries(RETRIES);
        int first = generator.task().number();
        List<Integer> expected =
                IntStream.range(first, first + generator.items()).boxed().toList();
        read("items", expected, () -> ratchet.generate(options, ITEMS_AHEAD, generator).stream()
                .toList());
    }

    /** Has a dataset of so many numbers grouped. */
    public void group(int numbers, long millis) {
        SubmitOptions options = SubmitOptions.ofJob(GROUPED).withMaxRetries(RETRIES);
        read(
                "groups",
                SimulatedDataset.expected(numbers),
                () -> SimulatedDataset.grouped(ratchet, options, numbers, millis));
    }

    /** Waits for something on a thread of the program. */
    private void read(String what, Object expected, Callable<?> reader) {
        if (removed) {
            return;
        }
        reading++;
        process.threads()
                .newThread(() -> {
                    try {
                        Object found = reader.call();
                        cluster.world.note("the program has all " + what);
                        if (!expected.equals(found)) {
                            wrongReads.add("The program has read the " + what + " " + found + ", not " + expected);
                        }
                    } catch (Exception | VirtualProcess.StrayError failure) {
                        wrongReads.add("The program could not read the " + what + ": " + failure);
                    } finally {
                        reading--;
                    }
                })
                .start();
    }

    /** What it has read and should not have, for people. */
    public List<String> wrongReads() {
        return List.copyOf(wrongReads);
    }

    /** Cancels one of the futures that it has mapped, if there are so many; which one it was. */
    public Optional<FutureId> cancel(int which) {
        return cancel(mapped, which);
    }

    /** As {@link #cancel} for a call of the actor. */
    public Optional<FutureId> cancelCall(int which) {
        return cancel(called, which);
    }

    private Optional<FutureId> cancel(List<? extends Submitted> futures, int which) {
        if (which >= futures.size() || isDead()) {
            return Optional.empty();
        }
        DurableFuture<?> future = futures.get(which).future();
        process.threads().newThread(future::cancel).start();
        return Optional.of(future.id());
    }

    /** As kill -9. */
    public void kill() {
        process.kill();
        cluster.network.died(process);
    }

    /** Its client is removed: whatever it asks is refused from now on, and it knows no more ends. */
    public void remove() {
        removed = true;
        cluster.network.remove(process);
    }

    /** Whether it will never know anything again. */
    public boolean isDead() {
        return removed || process.isDead();
    }

    /** Whether it knows how everything has ended, or will never know anything again. */
    public boolean isDone() {
        return isDead()
                || (unsubmitted == 0
                        && reading == 0
                        && ends.size() == submitted().size());
    }

    /** What it has mapped, in order. */
    public List<Mapped> mapped() {
        return List.copyOf(mapped);
    }

    /** The calls and reads of the actor, in order. */
    public List<Called> called() {
        return List.copyOf(called);
    }

    /** All of its futures whose ends it waits for. */
    public List<Submitted> submitted() {
        List<Submitted> all = new ArrayList<>(mapped);
        all.addAll(speculated);
        all.addAll(called);
        return all;
    }

    /** What it knows of how they have ended. */
    public Map<FutureId, End> ends() {
        return Map.copyOf(ends);
    }

    /** How one of them has ended; all have, once {@link #isDone()}. */
    public End end(Submitted submitted) {
        End end = ends.get(submitted.id());
        if (end == null) {
            throw new IllegalStateException("The end of " + submitted + " is not known");
        }
        return end;
    }
}
