/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import static dev.ratchet.protocol.membership.v1.State.STATE_HEALTHY;
import static dev.ratchet.protocol.membership.v1.State.STATE_MUST_DIE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.worker.CollectionFixture;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import java.util.List;
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

        takeover("w-1", ToldLiveness.silentFor(AwaitedCopies.LEFT_MILLIS - 1))
                .release(SEAT, HOLDER)
                .join();
        assertThat(state(once)).isEqualTo(State.STATE_REALIZED);
        layout("w-1", SEAT);
        takeover("w-1", ToldLiveness.silentFor(AwaitedCopies.LEFT_MILLIS))
                .release(SEAT, HOLDER)
                .join();
        assertThat(state(once)).isEqualTo(State.STATE_REALIZED);
        layout("w-1");
        takeover("w-1", ToldLiveness.silentFor(AwaitedCopies.LEFT_MILLIS))
                .release(SEAT, HOLDER)
                .join();
        assertThat(state(once)).isEqualTo(State.STATE_LOST);
    }

    @Test
    void whatAProcessThatHasParkedHeldIsLeftToTheNextOfItsSeatWhatCanBeComputedAgainForOneAndForAWhile() {
        FutureId once = once(MemberRecord.newBuilder().setIncarnation(HOLDER).setParkedIncarnation(HOLDER));

        Takeover other = takeover("w-1", ToldLiveness.silentFor(AwaitedCopies.PARKED_MILLIS - 1));
        other.release(SEAT, HOLDER).join();
        assertThat(state(realized)).isEqualTo(State.STATE_REALIZED);
        assertThat(other.isAwaited(SEAT)).isTrue();
        assertThat(state(claimed)).as("claims do not wait").isEqualTo(State.STATE_QUEUED);
        member(MemberRecord.newBuilder().setIncarnation(HOLDER + 1).setParkedIncarnation(HOLDER));
        other.release(SEAT, HOLDER + 1).join();
        assertThat(state(realized)).as("a next process has died").isEqualTo(State.STATE_REALIZED);
        takeover("w-1", ToldLiveness.silentFor(AwaitedCopies.PARKED_MILLIS))
                .release(SEAT, HOLDER + 1)
                .join();
        assertThat(state(realized)).isEqualTo(State.STATE_LOST);
        member(MemberRecord.newBuilder().setIncarnation(HOLDER + 2).setParkedIncarnation(HOLDER));
        other.release(SEAT, HOLDER + 2).join();
        assertThat(state(once)).isEqualTo(State.STATE_REALIZED);
    }

    @Test
    void nothingIsLeftToASeatThatIsNotAwaitedAnyMore() {
        FutureId once = once(MemberRecord.newBuilder().setIncarnation(HOLDER));

        release(HOLDER);

        assertThat(state(realized)).isEqualTo(State.STATE_LOST);
        assertThat(state(once)).isEqualTo(State.STATE_LOST);
    }

    @Test
    void whatCanBeComputedAgainIsLeftToTheFirstNextProcessOnly() {
        member(MemberRecord.newBuilder().setIncarnation(HOLDER + 2).setParkedIncarnation(HOLDER));

        takeover("w-1", ToldLiveness.silentFor(0)).release(SEAT, HOLDER + 2).join();

        assertThat(state(realized)).isEqualTo(State.STATE_LOST);
    }

    @Test
    void whoIsDeadByObservationAloneIsToldWhatIsTakenFromIt() {
        member(MemberRecord.newBuilder().setIncarnation(HOLDER).setState(STATE_HEALTHY));
        List<FutureId> inBlock = submitBlock(2, 0, ByteString.EMPTY);
        assertThat(claimAll()).hasSize(1);

        assertThat(release(HOLDER)).isEqualTo(3);

        assertThat(mail())
                .containsExactlyInAnyOrder(
                        claimed, inBlock.get(0), inBlock.get(1), BlockIds.blockOf(inBlock.getFirst()));
    }

    @Test
    void nobodyIsToldWhoDoesNotComeBack() {
        member(MemberRecord.newBuilder().setIncarnation(HOLDER).setState(STATE_MUST_DIE));
        assertThat(release(HOLDER)).isEqualTo(1);
        assertThat(mail()).isEmpty();
        assertThat(claimAll()).hasSize(1);
        member(MemberRecord.newBuilder().setIncarnation(HOLDER + 1).setState(STATE_HEALTHY));

        assertThat(release(HOLDER)).isEqualTo(1);

        assertThat(mail()).isEmpty();
    }

    private List<FutureId> mail() {
        return store
                .read(transaction ->
                        transaction.getRange(keys.mailbox.range(SEAT)).asList())
                .join()
                .stream()
                .map(row -> new FutureId(keys.mailbox.elements(row.getKey()).getUUID(1)))
                .toList();
    }

    /** A result of the holder, which is on a volume, that must not be computed again. */
    private FutureId onVolume() {
        return once(MemberRecord.newBuilder().setIncarnation(HOLDER).setOnVolume(true));
    }

    private void member(MemberRecord.Builder record) {
        store.runPlain(transaction -> {
                    new StoredMembers(keyspace).write(transaction, SEAT, record.build());
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }

    /** A result of the holder, which has this record, that must not be computed again. */
    private FutureId once(MemberRecord.Builder holder) {
        member(holder);
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

    private Takeover takeover(String ownSeat, Liveness liveness) {
        return new Takeover(store, ownSeat, members, liveness, recorder(), dependents());
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
