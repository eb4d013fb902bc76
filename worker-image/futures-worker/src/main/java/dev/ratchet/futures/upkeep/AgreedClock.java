/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a worker with the time of day on which the cluster agrees: delays and retentions must not follow
 * one clock that is wrong. Each worker tells its own clock with its beats. Where the own one differs from the middle of
 * all by more than beats take to arrive, the middle counts; of two clocks in the middle the earlier one, so that
 * nothing is early. A worker that is alone has its own. Safe for use by several threads.
 */
public final class AgreedClock implements ForwardingEnvironment {

    /** The resource by which a worker tells its clock at each beat. */
    public static final String WALL_MILLIS = "wallMillis";

    /** Clocks that differ by less agree: a beat may be seen so late. */
    static final long DIFFERENCE_MILLIS_MAX = 10_000;

    private static final long LOOK_NANOS = 500_000_000;

    /** An own clock that has moved by so much more than time has passed is looked at anew. */
    private static final long JUMP_MILLIS = 1_000;

    private final Environment own;
    private final Liveness liveness;
    private final String seat;
    private Map<String, Told> told = Map.of();
    private volatile @Nullable Agreed agreed;

    /** What a beat has told of a clock, when it was first seen. */
    private record Told(long incarnation, long beat, long wallMillis, long seenNanos) {
        long nowMillis(long nanos) {
            return wallMillis + (nanos - seenNanos) / 1_000_000;
        }
    }

    /** @param ownMillis what the own clock said then */
    private record Agreed(long nanos, long ownMillis, long correctionMillis) {
        boolean holds(long nowNanos, long nowMillis) {
            long passedNanos = nowNanos - nanos;
            return passedNanos < LOOK_NANOS && Math.abs(nowMillis - ownMillis - passedNanos / 1_000_000) < JUMP_MILLIS;
        }
    }

    /**
     * @param own clock and all else of this worker
     * @param seat of this worker
     */
    public AgreedClock(Environment own, Liveness liveness, String seat) {
        this.own = own;
        this.liveness = liveness;
        this.seat = seat;
    }

    @Override
    public Environment real() {
        return own;
    }

    /** What the clock of this worker says, for others. */
    public long ownMillis() {
        return own.wallClockMillis();
    }

    @Override
    public long wallClockMillis() {
        long nanos = own.nanoTime();
        long ownMillis = own.wallClockMillis();
        Agreed last = agreed;
        return ownMillis
                + (last != null && last.holds(nanos, ownMillis)
                        ? last.correctionMillis()
                        : look(nanos, ownMillis).correctionMillis());
    }

    private synchronized Agreed look(long nanos, long ownMillis) {
        Map<String, Told> now = new HashMap<>();
        for (Member member : liveness.latest()) {
            Long wallMillis = member.freeResources().get(WALL_MILLIS);
            if (wallMillis == null
                    || member.seat().equals(seat)
                    || !member.isPresent()
                    || liveness.isDead(member.seat(), member.incarnation())) {
                continue;
            }
            Told before = told.get(member.seat());
            boolean isKnown =
                    before != null && before.incarnation() == member.incarnation() && before.beat() == member.beat();
            now.put(member.seat(), isKnown ? before : new Told(member.incarnation(), member.beat(), wallMillis, nanos));
        }
        told = now;
        long[] clocks = LongStream.concat(
                        LongStream.of(ownMillis), now.values().stream().mapToLong(clock -> clock.nowMillis(nanos)))
                .sorted()
                .toArray();
        long correction = clocks[(clocks.length - 1) / 2] - ownMillis;
        Agreed found = new Agreed(nanos, ownMillis, Math.abs(correction) > DIFFERENCE_MILLIS_MAX ? correction : 0);
        agreed = found;
        return found;
    }
}
