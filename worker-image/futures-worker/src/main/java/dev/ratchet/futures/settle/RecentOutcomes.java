/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import dev.ratchet.membership.Trial;
import dev.ratchet.protocol.futures.v1.Failure;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts the attempts that ended on this worker in the last minute, and those of them that failed, so that an upgrade
 * can compare new workers with old ones. Told with each heartbeat. Safe for use by several threads.
 */
public final class RecentOutcomes {

    private static final int SECONDS = 60;
    private static final int KINDS = 3;
    private static final int ENDED = 0;
    private static final int FAILED = 1;
    private static final int BROKEN = 2;

    private final LongSupplier nanoTime;
    private final long[][] counts = new long[SECONDS][KINDS];
    private long newestSecond;

    RecentOutcomes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.newestSecond = second();
    }

    void add(Outcome outcome) {
        switch (outcome) {
            case Outcome.Realized realized -> count(ENDED);
            case Outcome.Failed failed -> count(kind(failed.failure()));
            case Outcome.OfBlock block ->
                block.ended().values().stream().flatMap(Optional::stream).forEach(this::add);
            case Outcome.GivenBack givenBack -> {}
        }
    }

    /** Adds what was counted to what a heartbeat says. */
    public synchronized void tell(Map<String, Long> told) {
        forgetTheOld();
        told.put(Trial.ENDED, sum(ENDED));
        told.put(Trial.FAILED, sum(FAILED));
        told.put(Trial.BROKEN, sum(BROKEN));
    }

    /** What a program does, or what is asked of it, is its own; what keeps a program from working is the system's. */
    private static int kind(Failure failure) {
        return switch (failure.getKind()) {
            case FAILURE_KIND_WORKER_LOST,
                    FAILURE_KIND_RESULT,
                    FAILURE_KIND_OBJECT_LOST,
                    FAILURE_KIND_UNSPECIFIED,
                    UNRECOGNIZED -> BROKEN;
            case FAILURE_KIND_EXCEPTION, FAILURE_KIND_CODE, FAILURE_KIND_OUT_OF_MEMORY, FAILURE_KIND_TIMEOUT -> FAILED;
            // It was not run, or its session is over.
            case FAILURE_KIND_UPSTREAM, FAILURE_KIND_IMPOSSIBLE, FAILURE_KIND_SESSION -> ENDED;
        };
    }

    private synchronized void count(int kind) {
        forgetTheOld();
        long[] now = counts[index(newestSecond)];
        now[ENDED]++;
        if (kind != ENDED) {
            now[kind]++;
        }
    }

    private void forgetTheOld() {
        long now = second();
        for (long second = Math.max(newestSecond + 1, now - SECONDS + 1); second <= now; second++) {
            counts[index(second)] = new long[KINDS];
        }
        newestSecond = Math.max(newestSecond, now);
    }

    private long sum(int kind) {
        long sum = 0;
        for (long[] second : counts) {
            sum += second[kind];
        }
        return sum;
    }

    private static int index(long second) {
        return (int) Math.floorMod(second, (long) SECONDS);
    }

    private long second() {
        return TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong());
    }
}
