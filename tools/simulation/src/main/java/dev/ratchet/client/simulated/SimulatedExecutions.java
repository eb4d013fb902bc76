/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.simulated;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.simulation.world.VirtualThreads;
import dev.ratchet.simulation.world.VirtualWorld;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Every execution of a user's code in one world, as the code itself tells it. */
public final class SimulatedExecutions implements AutoCloseable {

    private static final Map<VirtualWorld, SimulatedExecutions> ALL = new ConcurrentHashMap<>();

    private final VirtualWorld world;
    private final Map<Integer, List<Execution>> byTask = new LinkedHashMap<>();
    private Observer observer = execution -> {};
    private boolean open;

    /** Is told of each beginning. */
    @FunctionalInterface
    public interface Observer {
        void begun(Execution execution);
    }

    /** One run of a user's code, over when closed. */
    public static final class Execution implements AutoCloseable {
        private final SimulatedTask task;
        private final FutureId future;
        private final @Nullable SimulatedCall call;
        private final VirtualProcess process;
        private final int attempt;
        private boolean over;
        private boolean unrecorded;

        private Execution(
                SimulatedTask task,
                FutureId future,
                @Nullable SimulatedCall call,
                VirtualProcess process,
                int attempt) {
            this.task = task;
            this.future = future;
            this.call = call;
            this.process = process;
            this.attempt = attempt;
        }

        public SimulatedTask task() {
            return task;
        }

        /** The future that it computes. */
        public FutureId future() {
            return future;
        }

        /** The call or read of an actor that it is, if it is one. */
        public Optional<SimulatedCall> call() {
            return Optional.ofNullable(call);
        }

        public VirtualProcess process() {
            return process;
        }

        /** The first is 1. */
        public int attempt() {
            return attempt;
        }

        /** It begins before any claim of its worker is recorded: a later claim of that worker may be another's. */
        public void beginUnrecorded() {
            unrecorded = true;
        }

        public boolean wasUnrecorded() {
            return unrecorded;
        }

        /** Whether its code runs: not over, and its process neither dead nor stopped. */
        public boolean isLive() {
            return !over && !process.isDead() && !process.isPaused();
        }

        /** Throws where its task is one that fails now. */
        public void failIfItShould() {
            if (task.kind() == Kind.FAILS || (task.kind() == Kind.FAILS_ONCE && attempt == 1)) {
                throw new IllegalStateException("The task " + task.number() + " fails as it should");
            }
        }

        @Override
        public void close() {
            over = true;
        }
    }

    public SimulatedExecutions(VirtualWorld world) {
        this.world = world;
        ALL.put(world, this);
    }

    /** Those of the world that the calling thread runs in. */
    public static SimulatedExecutions here() {
        VirtualWorld world = VirtualThreads.current().world();
        SimulatedExecutions executions = ALL.get(world);
        if (executions == null) {
            throw new IllegalStateException("Nobody looks at the tasks of the world of seed " + world.seed());
        }
        return executions;
    }

    /** Lets the tasks that guard end. */
    public void open() {
        open = true;
    }

    public boolean isOpen() {
        return open;
    }

    public void observe(Observer next) {
        observer = next;
    }

    /** The code of a task begins to run, on the calling thread. */
    public Execution begin(SimulatedTask task) {
        return begin(task, null);
    }

    /** As {@link #begin(SimulatedTask)} for a call of an actor. */
    public Execution beginCall(SimulatedCall call) {
        return begin(call.task(), call);
    }

    private Execution begin(SimulatedTask task, @Nullable SimulatedCall call) {
        List<Execution> former = byTask.computeIfAbsent(task.number(), number -> new ArrayList<>());
        Execution execution =
                new Execution(task, TaskContext.current().id(), call, VirtualThreads.current(), former.size() + 1);
        former.add(execution);
        observer.begun(execution);
        return execution;
    }

    /** All executions of a task, first to last. */
    public List<Execution> of(SimulatedTask task) {
        return List.copyOf(byTask.getOrDefault(task.number(), List.of()));
    }

    /** Executions that run now in a process. */
    public long live(VirtualProcess process) {
        return byTask.values().stream()
                .flatMap(List::stream)
                .filter(execution -> execution.process() == process && execution.isLive() && !execution.unrecorded)
                .count();
    }

    @Override
    public void close() {
        ALL.remove(world);
    }
}
