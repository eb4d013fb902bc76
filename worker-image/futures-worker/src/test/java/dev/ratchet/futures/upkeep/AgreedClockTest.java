/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.worker.ShiftedEnvironment;
import dev.ratchet.membership.HealthyMember;
import dev.ratchet.membership.ToldLiveness;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What time of day it is where workers disagree. */
class AgreedClockTest {

    private static final long HOUR_MILLIS = 3_600_000;
    private static final long SLACK_MILLIS = 60_000;

    private final SystemEnvironment real = new SystemEnvironment();
    private final ShiftedEnvironment own = new ShiftedEnvironment(real);
    private final ToldLiveness others = ToldLiveness.of(new ArrayList<>(), "dead"::equals);
    private final AgreedClock clock = new AgreedClock(own, others, "w-0");
    private long beat = 1;

    @AfterEach
    void close() {
        real.close();
    }

    /** Another worker, whose clock is ahead by so much. */
    private void beats(String seat, long aheadMillis) {
        others.latest().removeIf(member -> member.seat().equals(seat));
        others.latest()
                .add(HealthyMember.withFree(
                        seat, beat++, Map.of(AgreedClock.WALL_MILLIS, real.wallClockMillis() + aheadMillis)));
    }

    private long aheadMillis() {
        own.pass(1_000);
        // First, so that a pause in between makes it more and not less than it is.
        long realMillis = real.wallClockMillis();
        return clock.wallClockMillis() - realMillis;
    }

    @Test
    void whoIsAloneHasItsOwnClock() {
        own.setWallClockAhead(HOUR_MILLIS);

        assertThat(aheadMillis()).isGreaterThanOrEqualTo(HOUR_MILLIS);
    }

    @Test
    void theMiddleCountsWhereTheOwnClockIsWrong() {
        beats("w-1", 0);
        beats("w-2", 2_000);
        own.setWallClockAhead(HOUR_MILLIS);
        assertThat(aheadMillis()).isLessThan(SLACK_MILLIS);

        own.setWallClockAhead(-HOUR_MILLIS);
        assertThat(aheadMillis()).isGreaterThan(-SLACK_MILLIS);
    }

    @Test
    void whoIsRightFollowsNobodyWhoIsWrong() {
        beats("w-1", HOUR_MILLIS);
        beats("w-2", 0);
        beats("dead", HOUR_MILLIS);
        beats("w-3", -HOUR_MILLIS);

        assertThat(aheadMillis()).isBetween(0L, SLACK_MILLIS);
    }

    @Test
    void ofTwoClocksTheEarlierOneCounts() {
        beats("w-1", 0);
        own.setWallClockAhead(HOUR_MILLIS);
        assertThat(aheadMillis()).isLessThan(SLACK_MILLIS);
    }

    @Test
    void clocksThatDifferByLittleAreLeftAsTheyAre() {
        beats("w-1", 5_000);
        beats("w-2", 6_000);

        assertThat(aheadMillis()).isBetween(0L, 4_000L);
    }
}
