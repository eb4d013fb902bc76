/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import org.junit.jupiter.api.Test;

class ObservationTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long TTL = 20 * SECOND;
    private final Observation observation = new Observation();

    @Test
    void aSeatWhoseBeatStandsStillForAWholeTimeToLiveIsDead() {
        see(1, 5, 0);
        see(1, 5, 19);
        assertThat(observation.isDead(1)).isFalse();
        see(1, 5, 20);
        assertThat(observation.isDead(1)).isTrue();
    }

    @Test
    void aPauseOfTheObserverMakesNobodyDead() {
        see(1, 5, 0);
        assertThat(observation.isDead(1)).as("no read since the pause").isFalse();
        see(1, 6, 3_600);
        assertThat(observation.isDead(1)).isFalse();
    }

    @Test
    void aReadThatBeganBeforeTheTimeWasOverProvesNothing() {
        see(1, 5, 0);
        observation.update(member(1, 5, WorkerState.HEALTHY, 0), TTL, 19 * SECOND, 60 * SECOND);
        assertThat(observation.isDead(1)).isFalse();
    }

    @Test
    void everyFormerIncarnationIsDead() {
        see(7, 1, 0);
        assertThat(observation.isDead(6)).isTrue();
        assertThat(observation.isDead(7)).isFalse();
        assertThat(observation.isDead(8)).isFalse();
    }

    @Test
    void aSeatThatEndedOrMustDieIsDead() {
        observation.update(member(1, 1, WorkerState.MUST_DIE, 0), TTL, 0, 0);
        assertThat(observation.isDead(1)).isTrue();
    }

    @Test
    void aRefusedConnectionIsDeathUntilBeatsProveItWrong() {
        see(1, 5, 0);
        refused(1, 1);
        assertThat(observation.isDead(1)).isTrue();
        see(1, 6, 2);
        assertThat(observation.isDead(1)).as("beaten before it was killed").isTrue();
        see(1, 7, 4);
        assertThat(observation.isDead(1)).as("on its way when it was killed").isTrue();
        see(1, 8, 6);
        assertThat(observation.isDead(1)).isFalse();
        refused(1, 7);
        assertThat(observation.isDead(1))
                .as("a firewall that refuses is known now")
                .isFalse();
    }

    @Test
    void whatWasReadBeforeTheRefusalSaysNothingOfIt() {
        see(1, 5, 0);
        refused(1, 10);
        see(1, 7, 9);
        see(1, 9, 9);
        assertThat(observation.isDead(1)).isTrue();
        see(1, 10, 11);
        see(1, 10, 31);
        assertThat(observation.isDead(1)).isTrue();
    }

    @Test
    void aRefusalOfAFormerIncarnationSaysNothingOfTheNewOne() {
        see(2, 1, 0);
        refused(1, 1);
        assertThat(observation.isDead(2)).isFalse();
    }

    @Test
    void aWorkerThatDemandsMoreTimeGetsIt() {
        observation.update(member(1, 5, WorkerState.HEALTHY, 60_000), TTL, 0, 0);
        observation.update(member(1, 5, WorkerState.HEALTHY, 60_000), TTL, 59 * SECOND, 59 * SECOND);
        assertThat(observation.isDead(1)).isFalse();
        observation.update(member(1, 5, WorkerState.HEALTHY, 60_000), TTL, 60 * SECOND, 60 * SECOND);
        assertThat(observation.isDead(1)).isTrue();
    }

    @Test
    void aDeathIsReportedOnce() {
        see(1, 5, 0);
        see(1, 5, 20);
        assertThat(observation.isNewlyDead()).isTrue();
        assertThat(observation.isNewlyDead()).isFalse();
        see(2, 1, 21);
        assertThat(observation.isNewlyDead()).isFalse();
    }

    private void refused(long incarnation, long atSeconds) {
        observation.connectionRefused(incarnation, atSeconds * SECOND);
    }

    private void see(long incarnation, long beat, long atSeconds) {
        long nanos = atSeconds * SECOND;
        observation.update(member(incarnation, beat, WorkerState.HEALTHY, 0), TTL, nanos, nanos);
    }

    private static Member member(long incarnation, long beat, WorkerState state, long demandedTtlMillis) {
        return StoredMembers.member(
                "orders-w-0",
                MemberRecord.newBuilder()
                        .setIncarnation(incarnation)
                        .setState(StoredMembers.stored(state))
                        .setObserverTtlMillis(demandedTtlMillis)
                        .build(),
                BeatRecord.newBuilder()
                        .setIncarnation(incarnation)
                        .setBeat(beat)
                        .build());
    }
}
