/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.Locality;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Futures that wait for one seat. */
class AssignmentTest {

    private static final SubmitOptions OPTIONS = SubmitOptions.ofJob(StoreFixture.JOB);

    private final StoreFixture steps = new StoreFixture();

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void asManyAssignedFuturesAreClaimedTogetherAsThereIsRoomFor() {
        SubmitOptions options = OPTIONS.withLocality(Locality.onSeat("w-1"));
        for (int i = 0; i < 200; i++) {
            steps.submit(options);
        }
        Claimer claimer = steps.claimer("w-1");
        assertThat(claimer.claim(StoreFixture.room(150)).join()).hasSize(150);
        assertThat(claimer.hasLeftSome()).as("there may be more").isTrue();
        assertThat(claimer.claim(StoreFixture.room(150)).join()).hasSize(50);
        assertThat(claimer.hasLeftSome()).isFalse();
    }

    @Test
    void anAssignedFutureIsForItsSeatAlone() {
        FutureId mine = steps.submit(OPTIONS.withLocality(Locality.onSeat("w-1")));

        assertThat(steps.record(mine).getState()).isEqualTo(State.STATE_ASSIGNED);
        assertThat(steps.claimer("w-0").claim(StoreFixture.room(10)).join()).isEmpty();
        assertThat(steps.claimer("w-1").claim(StoreFixture.room(10)).join())
                .extracting(Claimed::id)
                .containsExactly(mine);
    }

    @Test
    void whatMayRunElsewhereIsNotLeftToASeatWhoseProcessIsDead() {
        steps.members.add(StoreFixture.member("w-1", WorkerState.HEALTHY));
        steps.store.passOver("w-1"::equals);
        FutureId preferring = steps.submit(OPTIONS.withLocality(Locality.onSeat("w-1")));
        FutureId bound =
                steps.submit(OPTIONS.withLocality(Locality.onSeat("w-1").withRequired()));

        assertThat(steps.record(preferring).getState()).isEqualTo(State.STATE_QUEUED);
        assertThat(steps.record(bound).getState()).isEqualTo(State.STATE_ASSIGNED);
        assertThat(steps.claimer("w-0").claim(StoreFixture.room(10)).join())
                .extracting(Claimed::id)
                .containsExactly(preferring);
    }

    @Test
    void assignmentsComeFirstButLeaveAShareToThePool() {
        for (int i = 0; i < 20; i++) {
            steps.submit(OPTIONS.withLocality(Locality.onSeat("w-0")));
            steps.submit(OPTIONS);
        }
        Claimer claimer = steps.claimer("w-0");
        int assigned = 0;
        int pooled = 0;
        for (int i = 0; i < 16; i++) {
            Claimed claimed = claimer.claim(StoreFixture.room(1)).join().get(0);
            if (claimed.record().getSchedulingSpec().hasLocality()) {
                assigned++;
            } else {
                pooled++;
            }
        }

        assertThat(assigned).isEqualTo(12);
        assertThat(pooled).isEqualTo(4);
    }
}
