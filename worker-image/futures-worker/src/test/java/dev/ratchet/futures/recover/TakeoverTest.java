/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.worker.CollectionFixture;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
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

    @Test
    void whatCanNotBeComputedAgainIsLeftOnItsVolumeForTheNextProcessOfTheSeat() {
        FutureId once = onVolume();
        Takeover other = takeover("w-1", ToldLiveness.allDead());

        assertThat(other.release(SEAT, HOLDER).join()).isEqualTo(1);

        assertThat(state(realized)).isEqualTo(State.STATE_LOST);
        assertThat(state(once)).isEqualTo(State.STATE_REALIZED);
        assertThat(other.isAwaited(SEAT)).isTrue();
        other.release(SEAT, HOLDER).join();
        assertThat(state(once)).isEqualTo(State.STATE_REALIZED);
        assertThat(other.isAwaited(SEAT)).isTrue();
        takeover(SEAT, ToldLiveness.allDead()).release(SEAT, HOLDER).join();
        assertThat(state(once)).isEqualTo(State.STATE_LOST);
        assertThat(record(once).orElseThrow().getFailure().getMessage())
                .contains("was lost with the worker w-0 (incarnation 1), which has left no undamaged file of it");
    }

    @Test
    void aSeatThatHasLeftTheLayoutIsGivenUpAfterADay() {
        FutureId once = onVolume();
        layout("w-1");

        takeover("w-1", new SilentFor(AwaitedCopies.LEFT_MILLIS - 1))
                .release(SEAT, HOLDER)
                .join();
        assertThat(state(once)).isEqualTo(State.STATE_REALIZED);
        layout("w-1", SEAT);
        takeover("w-1", new SilentFor(AwaitedCopies.LEFT_MILLIS))
                .release(SEAT, HOLDER)
                .join();
        assertThat(state(once)).isEqualTo(State.STATE_REALIZED);
        layout("w-1");
        takeover("w-1", new SilentFor(AwaitedCopies.LEFT_MILLIS))
                .release(SEAT, HOLDER)
                .join();
        assertThat(state(once)).isEqualTo(State.STATE_LOST);
    }

    /** A result of the holder, which is on a volume, that must not be computed again. */
    private FutureId onVolume() {
        store.runPlain(transaction -> {
                    new StoredMembers(keyspace)
                            .write(
                                    transaction,
                                    SEAT,
                                    MemberRecord.newBuilder()
                                            .setIncarnation(HOLDER)
                                            .setOnVolume(true)
                                            .build());
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
        FutureId once = submit(
                List.of(),
                0,
                SubmittedFuture.newBuilder()
                        .setSchedulingSpec(SchedulingSpec.newBuilder().setNoReconstruction(true)));
        assertThat(finish(true)).isEqualTo(1);
        return once;
    }

    private void layout(String... seats) {
        store.runPlain(transaction -> {
                    MembershipTables.LAYOUT
                            .in(keyspace)
                            .set(
                                    transaction,
                                    LayoutRecord.newBuilder()
                                            .setEpoch(1)
                                            .addAllSeats(List.of(seats))
                                            .build());
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }

    private record SilentFor(long millis) implements Liveness {
        @Override
        public boolean isDead(String seat, long incarnation) {
            return true;
        }

        @Override
        public OptionalLong silentMillis(String seat, long incarnation) {
            return OptionalLong.of(millis);
        }

        @Override
        public void suspect(String seat, long incarnation) {}

        @Override
        public List<Member> latest() {
            return List.of();
        }

        @Override
        public void addListener(DeathListener listener) {}
    }

    private Takeover takeover(String ownSeat, Liveness liveness) {
        return new Takeover(store, ownSeat, members, liveness, recorder(), dependents(), () -> {});
    }

    private int release(long incarnation) {
        return takeover("w-1", ToldLiveness.allDead())
                .release(SEAT, incarnation)
                .join();
    }

    private State state(FutureId id) {
        return record(id).orElseThrow().getState();
    }
}
