/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Exact counts over all futures of one job, at one moment.
 *
 * @param states futures by state; a state without futures is absent
 * @param realizedBySeat results by the worker that computed them, computed-again ones included
 * @param retried attempts that failed or were lost with their worker, and were tried again
 * @param recomputed results computed again because the worker that held them was gone
 */
public record JobSummary(
        String job, Map<FutureState, Long> states, Map<String, Long> realizedBySeat, long retried, long recomputed) {

    public JobSummary {
        Map<FutureState, Long> byState = new EnumMap<>(FutureState.class);
        byState.putAll(states);
        states = Map.copyOf(byState);
        realizedBySeat = Map.copyOf(realizedBySeat);
    }

    /** How many futures of the job are in {@code state}. */
    public long count(FutureState state) {
        return states.getOrDefault(state, 0L);
    }

    /** How many futures have ended, one way or another: with {@link #total()} the progress of a long map. */
    public long done() {
        return count(FutureState.REALIZED) + count(FutureState.FAILED) + count(FutureState.CANCELLED);
    }

    /** How many futures the job has. */
    public long total() {
        return states.values().stream().mapToLong(Long::longValue).sum();
    }

    /** {@link #realizedBySeat()} in the order of the seats' names. */
    public Map<String, Long> realizedBySeatSorted() {
        return new TreeMap<>(realizedBySeat);
    }
}
