/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.crds.worker.WorkerState;
import dev.ratchet.protocol.coordinator.v1.WorkerStatement;
import java.util.List;

/** Owns what a coordinator said about one seat. */
public record WorkerReport(
        String seat,
        long incarnation,
        WorkerState state,
        String host,
        String podUid,
        String address,
        String version,
        Held holds,
        boolean drained,
        Trial trial,
        List<Slots> slots) {
    public WorkerReport {
        slots = List.copyOf(slots);
    }

    /**
     * Slots of one name, without those that sessions take which name none.
     *
     * @param capacity slots that there are
     * @param held slots that sessions hold
     * @param waiting sessions that wait for one and that this worker could serve
     */
    public record Slots(String name, long capacity, long held, long waiting) {
        /** What changes all the time is left out. */
        Slots settled() {
            return new Slots(name, capacity, 0, 0);
        }

        private static List<Slots> of(WorkerStatement statement) {
            return statement.getSlotsList().stream()
                    .filter(said -> !said.getName().startsWith("_"))
                    .map(said -> new Slots(said.getName(), said.getCapacity(), said.getHeld(), said.getWaiting()))
                    .toList();
        }
    }

    /**
     * What an upgrade is judged by.
     *
     * @param canaryPassed the worker has executed its canary, or is of a release that does not say
     * @param ended attempts that ended in the last minute
     * @param failed those of them that failed through the program that was run
     * @param broken those of them that failed through the system
     */
    public record Trial(boolean canaryPassed, long ended, long failed, long broken) {
        /** Of a worker that says nothing. */
        public static final Trial UNKNOWN = new Trial(true, 0, 0, 0);

        /** What changes all the time is left out. */
        Trial settled() {
            return new Trial(canaryPassed, 0, 0, 0);
        }

        private static Trial of(WorkerStatement statement) {
            dev.ratchet.protocol.coordinator.v1.Trial said = statement.getTrial();
            return statement.hasTrial()
                    ? new Trial(said.getCanaryPassed(), said.getEnded(), said.getFailed(), said.getBroken())
                    : UNKNOWN;
        }
    }

    /** How much a seat holds, by kind; counts. */
    public record Held(long futures, long objects, long actors, long sessions, long shards) {
        public long total() {
            return moving() + futures;
        }

        /** What moves to others when the seat leaves; its running futures end where they are. */
        public long moving() {
            return objects + actors + sessions + shards;
        }
    }

    static WorkerReport of(WorkerStatement statement) {
        return new WorkerReport(
                statement.getSeat(),
                statement.getIncarnation(),
                state(statement),
                statement.getHost(),
                statement.getPodUid(),
                statement.getAddress(),
                statement.getVersion(),
                new Held(
                        statement.getInventory().getFutures(),
                        statement.getInventory().getObjects(),
                        statement.getInventory().getActors(),
                        statement.getInventory().getSessions(),
                        statement.getInventory().getShards()),
                statement.getDrained(),
                Trial.of(statement),
                Slots.of(statement));
    }

    private static WorkerState state(WorkerStatement statement) {
        return switch (statement.getState()) {
            case WORKER_STATE_NEW -> WorkerState.NEW;
            case WORKER_STATE_UNHEALTHY -> WorkerState.UNHEALTHY;
            case WORKER_STATE_HEALTHY -> WorkerState.HEALTHY;
            case WORKER_STATE_DRAINING -> WorkerState.DRAINING;
            case WORKER_STATE_MUST_DIE -> WorkerState.MUST_DIE;
            case WORKER_STATE_UNSPECIFIED, UNRECOGNIZED -> WorkerState.UNKNOWN;
        };
    }
}
