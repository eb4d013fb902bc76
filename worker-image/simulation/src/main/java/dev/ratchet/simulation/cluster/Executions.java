/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.simulation.world.VirtualProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Every execution of a user's code in one world, as the code itself tells it. */
public final class Executions implements AutoCloseable {

    private static final Map<Long, Executions> ALL = new ConcurrentHashMap<>();
    private static final AtomicLong LAST = new AtomicLong();

    private final long id = LAST.incrementAndGet();
    private final Map<Integer, List<Execution>> byTask = new LinkedHashMap<>();
    private Observer observer = execution -> {};

    /** Is told of each beginning. */
    @FunctionalInterface
    public interface Observer {
        void begun(Execution execution);
    }

    /** One run of a user's code, over when closed. */
    public static final class Execution implements AutoCloseable {
        private final SimulatedTask task;
        private final VirtualProcess process;
        private final int attempt;
        private boolean over;
        private boolean unrecorded;

        private Execution(SimulatedTask task, VirtualProcess process, int attempt) {
            this.task = task;
            this.process = process;
            this.attempt = attempt;
        }

        public SimulatedTask task() {
            return task;
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

        @Override
        public void close() {
            over = true;
        }
    }

    public Executions() {
        ALL.put(id, this);
    }

    /** Those of a world that is not over. */
    public static Executions of(long id) {
        Executions executions = ALL.get(id);
        if (executions == null) {
            throw new IllegalStateException("The world of this task is over: " + id);
        }
        return executions;
    }

    /** What {@link SimulatedTask#world()} is for tasks of this world. */
    public long id() {
        return id;
    }

    public void observe(Observer next) {
        observer = next;
    }

    /** The code begins to run. */
    public Execution begin(SimulatedTask task, VirtualProcess process) {
        List<Execution> former = byTask.computeIfAbsent(task.number(), number -> new ArrayList<>());
        Execution execution = new Execution(task, process, former.size() + 1);
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
        ALL.remove(id);
    }
}
