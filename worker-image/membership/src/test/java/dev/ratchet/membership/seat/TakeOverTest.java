/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.protocol.release.ReleaseFormats;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TakeOverTest {

    private final WorkerDescription me = new WorkerDescription(
            "orders-w-0", "pod-b", 3, 99, "node", "10.0.0.2:7400", ReleaseFormats.OWN, 2, Map.of(), false);

    private final MemberRecord holder = MemberRecord.newBuilder()
            .setIncarnation(4)
            .setState(State.STATE_HEALTHY)
            .setPodUid("pod-a")
            .setBootNumber(1)
            .setBootNonce(11)
            .setAddress("10.0.0.1:7400")
            .build();

    @Test
    void aSeatNeverTakenIsFree() {
        assertThat(TakeOver.decide(MemberRecord.getDefaultInstance(), me, false))
                .isEqualTo(TakeOver.TAKE);
    }

    @Test
    void aHolderThatMayLiveKeepsItsSeatInEveryState() {
        for (State state :
                new State[] {State.STATE_NEW, State.STATE_UNHEALTHY, State.STATE_HEALTHY, State.STATE_DRAINING}) {
            assertThat(TakeOver.decide(holder.toBuilder().setState(state).build(), me, false))
                    .isEqualTo(TakeOver.BUSY);
        }
    }

    @Test
    void aHolderObservedToBeDeadLosesIt() {
        assertThat(TakeOver.decide(holder, me, true)).isEqualTo(TakeOver.TAKE);
    }

    @Test
    void aHolderThatEndedOrMustDieHasLostItAlready() {
        MemberRecord ended = holder.toBuilder().setState(State.STATE_MUST_DIE).build();
        assertThat(TakeOver.decide(ended, me, false)).isEqualTo(TakeOver.TAKE);
    }

    @Test
    void whoListensAtTheHoldersAddressHasItsSeat() {
        MemberRecord sameAddress = holder.toBuilder().setAddress(me.address()).build();
        assertThat(TakeOver.decide(sameAddress, me, false)).isEqualTo(TakeOver.TAKE);
    }

    @Test
    void theYoungerProcessOfOnePodWins() {
        MemberRecord older =
                holder.toBuilder().setPodUid("pod-b").setBootNumber(2).build();
        MemberRecord younger =
                holder.toBuilder().setPodUid("pod-b").setBootNumber(4).build();
        assertThat(TakeOver.decide(older, me, false)).isEqualTo(TakeOver.TAKE);
        assertThat(TakeOver.decide(younger, me, true)).isEqualTo(TakeOver.SUPERSEDED);
    }

    @Test
    void theOwnRecordIsRecognisedAfterAnUnknownCommit() {
        MemberRecord own = holder.toBuilder()
                .setPodUid("pod-b")
                .setBootNumber(3)
                .setBootNonce(99)
                .build();
        assertThat(TakeOver.decide(own, me, false)).isEqualTo(TakeOver.ALREADY_MINE);
    }
}
