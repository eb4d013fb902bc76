/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.worker.CollectionFixture;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.State;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose claims and copies go with a dead incarnation of a seat; the indexes are checked at the end. */
class TakeoverTest extends CollectionFixture {

    /** What the fixture claims and holds as. */
    private static final long HOLDER = 1;

    private FutureId realized;
    private FutureId claimed;

    @BeforeEach
    void hold() {
        realized = submit(List.of(), 0);
        assertThat(finish(true)).isEqualTo(1);
        claimed = submit(List.of(), 0, SubmittedFuture.newBuilder().setMaxRetries(1));
        assertThat(claimAll()).hasSize(1);
    }

    @Test
    void whatALaterIncarnationHoldsIsLeftToIt() {
        assertThat(release(HOLDER - 1)).isZero();

        assertThat(state(claimed)).isEqualTo(State.STATE_CLAIMED);
        assertThat(state(realized)).isEqualTo(State.STATE_REALIZED);
    }

    /** An incarnation may die before it has released what the one before it held. */
    @Test
    void whatEarlierIncarnationsHeldGoesWithTheLast() {
        assertThat(release(HOLDER + 2)).isEqualTo(1);

        assertThat(state(claimed)).isEqualTo(State.STATE_QUEUED);
        assertThat(state(realized)).isEqualTo(State.STATE_LOST);
    }

    private int release(long incarnation) {
        return new Takeover(store, members, ToldLiveness.allDead(), recorder(), dependents(), () -> {})
                .release(SEAT, incarnation)
                .join();
    }

    private State state(FutureId id) {
        return record(id).orElseThrow().getState();
    }
}
