/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import java.util.Map;

/**
 * How much one client, by the name in its certificate, may ask of one worker. All clients together may have twice as
 * many open calls as one.
 *
 * @param callsPerSecond calls that it may begin in a second
 * @param openCalls calls that may be open at once, streams among them, of which each program has a few
 */
record ClientLimits(long callsPerSecond, int openCalls) {

    private static final long CALLS_PER_SECOND = 100_000;
    private static final long HEAP_BYTES_PER_CALL = 32 << 10;
    private static final int OPEN_CALLS_LEAST = 4_096;
    private static final int OPEN_CALLS_MOST = 65_536;
    private static final long LIMIT = 1_000_000_000;

    /** More than programs need, and what a heap of this size bears. */
    static ClientLimits forHeap(long bytes) {
        return new ClientLimits(
                CALLS_PER_SECOND, Math.clamp(bytes / HEAP_BYTES_PER_CALL, OPEN_CALLS_LEAST, OPEN_CALLS_MOST));
    }

    /** @throws IllegalArgumentException if a name is not known or a number can not be */
    ClientLimits with(Map<String, Long> named) {
        long perSecond = callsPerSecond;
        long open = openCalls;
        for (Map.Entry<String, Long> one : named.entrySet()) {
            if (one.getValue() < 1 || one.getValue() > LIMIT) {
                throw new IllegalArgumentException(one.getKey() + " must be from 1 to " + LIMIT);
            }
            switch (one.getKey()) {
                case "callsPerSecond" -> perSecond = one.getValue();
                case "openCalls" -> open = one.getValue();
                default ->
                    throw new IllegalArgumentException(
                            one.getKey() + " is not a limit of clients; those are callsPerSecond and openCalls");
            }
        }
        return new ClientLimits(perSecond, (int) open);
    }
}
