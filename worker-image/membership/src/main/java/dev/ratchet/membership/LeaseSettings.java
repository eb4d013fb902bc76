/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.Map;
import java.util.TreeMap;

/**
 * The times of a lease. A worker stops itself before anybody else may believe it dead, in spite of clocks that run at
 * different rates and of work that takes its time to end: that is the inequality which the constructor demands. Unsafe
 * settings are refused with the sum.
 *
 * @param beatMillis period of the heartbeat; at most a quarter of the worker's time to live
 * @param workerTtlMillis a worker stops so long after the start of its last successful heartbeat
 * @param killWaitMillis running code gets so long between the request to end and the kill
 * @param killLatencyMillis a kill takes so long at most
 * @param tickMillis timers are late by so much at most
 * @param observerTtlMillis others call a worker dead after so long without a beat
 * @param driftPerMille clocks of two machines differ in rate by so much at most
 * @param canaryMillis period of the health check; a check older than two periods makes UNHEALTHY
 */
public record LeaseSettings(
        long beatMillis,
        long workerTtlMillis,
        long killWaitMillis,
        long killLatencyMillis,
        long tickMillis,
        long observerTtlMillis,
        int driftPerMille,
        long canaryMillis) {

    /** Heartbeat each 2 s; a worker stops after 10 s without one; others call it dead after 20 s. */
    public static final LeaseSettings DEFAULT =
            new LeaseSettings(2_000, 10_000, 5_000, 2_000, 1_000, 20_000, 10, 30_000);

    private static final int LONGEST_MILLIS = 3_600_000;

    public LeaseSettings {
        requireRange("beatMillis", beatMillis, 1, LONGEST_MILLIS);
        requireRange("workerTtlMillis", workerTtlMillis, 1, LONGEST_MILLIS);
        requireRange("killWaitMillis", killWaitMillis, 0, LONGEST_MILLIS);
        requireRange("killLatencyMillis", killLatencyMillis, 0, LONGEST_MILLIS);
        requireRange("tickMillis", tickMillis, 0, LONGEST_MILLIS);
        requireRange("observerTtlMillis", observerTtlMillis, 1, LONGEST_MILLIS);
        requireRange("driftPerMille", driftPerMille, 0, 500);
        requireRange("canaryMillis", canaryMillis, 1, LONGEST_MILLIS);
        if (beatMillis * 4 > workerTtlMillis) {
            throw new IllegalArgumentException("Unsafe lease: beatMillis " + beatMillis
                    + " must be at most a quarter of workerTtlMillis " + workerTtlMillis
                    + ", or one lost heartbeat ends the worker");
        }
        double holder = longestMillis(workerTtlMillis, driftPerMille, killWaitMillis + killLatencyMillis + tickMillis);
        double observer = observerTtlMillis * (1 - driftPerMille / 1000.0);
        if (holder >= observer) {
            throw new IllegalArgumentException("Unsafe lease: a worker may live for workerTtlMillis " + workerTtlMillis
                    + " x (1 + " + driftPerMille + "/1000) + killWaitMillis " + killWaitMillis + " + killLatencyMillis "
                    + killLatencyMillis + " + tickMillis " + tickMillis + " = " + Math.round(holder)
                    + " ms, which must be less than observerTtlMillis " + observerTtlMillis + " x (1 - "
                    + driftPerMille + "/1000) = " + Math.round(observer) + " ms: raise observerTtlMillis");
        }
    }

    /**
     * These with some of them changed.
     *
     * @param changes by the name of the component
     * @throws IllegalArgumentException if a name is none of theirs, or what comes of it is not safe
     */
    public LeaseSettings with(Map<String, Long> changes) {
        Map<String, Long> left = new TreeMap<>(changes);
        LeaseSettings changed = new LeaseSettings(
                taken(left, "beatMillis", beatMillis),
                taken(left, "workerTtlMillis", workerTtlMillis),
                taken(left, "killWaitMillis", killWaitMillis),
                taken(left, "killLatencyMillis", killLatencyMillis),
                taken(left, "tickMillis", tickMillis),
                taken(left, "observerTtlMillis", observerTtlMillis),
                Math.clamp(taken(left, "driftPerMille", driftPerMille), -1, LONGEST_MILLIS),
                taken(left, "canaryMillis", canaryMillis));
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("A lease has no setting " + String.join(", ", left.keySet()));
        }
        return changed;
    }

    private static long taken(Map<String, Long> changes, String name, long otherwise) {
        Long changed = changes.remove(name);
        return changed == null ? otherwise : changed;
    }

    /** How long a worker may live after its last heartbeat, by anybody's clock. */
    private static double longestMillis(long ttlMillis, int driftPerMille, long endingMillis) {
        return ttlMillis * (1 + driftPerMille / 1000.0) + endingMillis;
    }

    private static void requireRange(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "Lease setting " + name + " is " + value + ", must be " + least + " to " + most);
        }
    }

    /** The smallest observerTtlMillis that these settings of a worker demand of everybody else. */
    public long demandedObserverTtlMillis() {
        double holder = longestMillis(workerTtlMillis, driftPerMille, killWaitMillis + killLatencyMillis + tickMillis);
        return (long) Math.ceil(holder / (1 - driftPerMille / 1000.0)) + 1;
    }
}
