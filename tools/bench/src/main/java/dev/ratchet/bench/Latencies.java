/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long operations took, as counts of buckets that are 1/32 of their value wide: percentiles are exact to 3 %,
 * whatever the number of operations. Safe for use by several threads.
 */
public final class Latencies {

    private static final int STEPS = 32;
    private static final int STEP_BITS = 5;

    private final AtomicLongArray counts = new AtomicLongArray(STEPS * (Long.SIZE - STEP_BITS + 1));

    /** Notes one operation. */
    public void add(long nanos) {
        counts.incrementAndGet(bucket(Math.max(0, nanos)));
    }

    private static int bucket(long nanos) {
        if (nanos < STEPS) {
            return (int) nanos;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - STEP_BITS;
        return (exponent + 1) * STEPS + (int) (nanos >>> exponent) - STEPS;
    }

    private static long floor(int bucket) {
        int exponent = bucket / STEPS - 1;
        return exponent < 0 ? bucket : (long) (bucket % STEPS + STEPS) << exponent;
    }

    /** How many operations there were. */
    public long count() {
        long sum = 0;
        for (int i = 0; i < counts.length(); i++) {
            sum += counts.get(i);
        }
        return sum;
    }

    /** The time in nanoseconds that {@code share} of the operations, 0 to 1, did not exceed; 0 without operations. */
    public long percentileNanos(double share) {
        long rank = (long) Math.ceil(share * count());
        long seen = 0;
        for (int i = 0; i < counts.length(); i++) {
            seen += counts.get(i);
            if (seen >= rank && seen > 0) {
                return floor(i);
            }
        }
        return 0;
    }
}
