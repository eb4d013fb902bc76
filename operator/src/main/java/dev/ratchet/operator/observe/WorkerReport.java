/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.crds.worker.ReportedWorkerState;
import dev.ratchet.protocol.coordinator.v1.ReportedWorker;
import java.util.List;

/**
 * Owns what a coordinator said about one seat.
 *
 * @param drained it is recorded that this incarnation takes no work any more and holds nothing
 * @param parks whether its process knows how to park
 * @param parked it is recorded that this incarnation takes no work any more, and that what it holds is in files
 */
public record WorkerReport(
        String seat,
        long incarnation,
        ReportedWorkerState state,
        String host,
        String podUid,
        String address,
        String version,
        Held holds,
        boolean drained,
        boolean parks,
        boolean parked,
        Trial trial,
        List<Slots> slots,
        Evacuation evacuation) {
    public WorkerReport {
        slots = List.copyOf(slots);
    }

    /**
     * Slots of one name, without those that sessions take which name none.
     *
     * @param capacity slots that there are
     * @param held slots that sessions hold
     * @param waiting sessions that wait for one, as this worker last saw, be it that it has none
     */
    public record Slots(String name, long capacity, long held, long waiting) {
        /** What changes all the time is left out. */
        Slots settled() {
            return new Slots(name, capacity, 0, 0);
        }

        private static List<Slots> of(ReportedWorker reported) {
            return reported.getSlotsList().stream()
                    .filter(said -> !said.getName().startsWith("_"))
                    .map(said -> new Slots(said.getName(), said.getCapacity(), said.getHeld(), said.getWaiting()))
                    .toList();
        }
    }

    /**
     * Values that a worker hands over since it began to drain, in bytes.
     *
     * @param moved given to other workers
     * @param bound what had to move because nobody else held it, with what the worker still holds
     */
    public record Evacuation(long moved, long bound) {
        /** Of a worker that does not drain, or does not say. */
        public static final Evacuation NONE = new Evacuation(0, 0);
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

        private static Trial of(ReportedWorker reported) {
            dev.ratchet.protocol.coordinator.v1.Trial said = reported.getTrial();
            return reported.hasTrial()
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

    static WorkerReport of(ReportedWorker reported) {
        return new WorkerReport(
                reported.getSeat(),
                reported.getIncarnation(),
                state(reported),
                reported.getHost(),
                reported.getPodUid(),
                reported.getAddress(),
                reported.getVersion(),
                new Held(
                        reported.getInventory().getFutures(),
                        reported.getInventory().getObjects(),
                        reported.getInventory().getActors(),
                        reported.getInventory().getSessions(),
                        reported.getInventory().getShards()),
                reported.getDrained(),
                reported.getParks(),
                reported.getParked(),
                Trial.of(reported),
                Slots.of(reported),
                new Evacuation(
                        reported.getEvacuation().getMovedBytes(),
                        reported.getEvacuation().getBoundBytes()));
    }

    private static ReportedWorkerState state(ReportedWorker reported) {
        return switch (reported.getState()) {
            case WORKER_STATE_NEW -> ReportedWorkerState.NEW;
            case WORKER_STATE_UNHEALTHY -> ReportedWorkerState.UNHEALTHY;
            case WORKER_STATE_HEALTHY -> ReportedWorkerState.HEALTHY;
            case WORKER_STATE_DRAINING -> ReportedWorkerState.DRAINING;
            case WORKER_STATE_MUST_DIE -> ReportedWorkerState.MUST_DIE;
            case WORKER_STATE_UNSPECIFIED, UNRECOGNIZED -> ReportedWorkerState.UNKNOWN;
        };
    }
}
