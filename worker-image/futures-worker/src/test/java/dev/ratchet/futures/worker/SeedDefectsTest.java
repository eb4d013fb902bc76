/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.submit.Awaiting;
import dev.ratchet.futures.upkeep.Requeue;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The prototype that the protocol was first written for had ten defects; none of them is here. */
class SeedDefectsTest {

    private static final SubmitOptions OPTIONS = SubmitOptions.ofJob(StoreFixture.JOB);

    private final StoreFixture steps = new StoreFixture();

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void defect1TheClaimsOfADeadWorkerAreQueuedAgainWhetherAnybodyAwaitsThemOrNot() {
        FutureId id = steps.submit(1);
        claim("w-0");

        assertThat(steps.takeover().release("w-0", 1).join()).isEqualTo(1);

        assertThat(claim("w-1").id()).isEqualTo(id);
    }

    @Test
    void defect2AFutureThatEndsItsWorkersIsNotTriedForEver() {
        FutureId id = steps.submit(2);
        for (int life = 1; life <= 3; life++) {
            claim("w-" + life);
            steps.takeover().release("w-" + life, 1).join();
        }

        assertThat(steps.record(id).getState()).isEqualTo(State.STATE_FAILED);
        assertThat(steps.record(id).getFailure().getKind()).isEqualTo(FailureKind.FAILURE_KIND_WORKER_LOST);
        assertThat(steps.claimer("w-9").claim(StoreFixture.room(1)).join()).isEmpty();
    }

    @Test
    void defect3AFutureThatHasFailedIsFailedAndInNoQueue() {
        FutureId id = steps.submit(0);
        fail(claim("w-0"));

        FutureRecord record = steps.record(id);
        assertThat(record.getState()).isEqualTo(State.STATE_FAILED);
        assertThat(record.getNumAttempts()).isEqualTo(1);
        assertThat(steps.claimer("w-1").becomeIdle(StoreFixture.room(1)).join())
                .as("nothing is queued")
                .isTrue();
    }

    @Test
    void defect4AFailureWithRetriesLeftIsNoOutcome() {
        FutureId id = steps.submit(1);
        fail(claim("w-0"));
        assertThat(Lifecycle.isDone(steps.record(id).getState())).isFalse();

        assertThat(steps.outcomeCommitter("w-0")
                        .record(claim("w-0"), StoreFixture.value("late"))
                        .join())
                .isTrue();

        assertThat(steps.record(id).getState()).isEqualTo(State.STATE_REALIZED);
        assertThat(steps.record(id).hasFailure()).as("kept for people").isTrue();
    }

    @Test
    void defect5AFutureTooLargeForOneResourceIsNotClaimedByAnother() {
        steps.submit(OPTIONS.withRequirements(
                Requirements.cpus(8).withMemoryBytes(10).withGpus(1).waitingForCapacity()));
        Capacity fewProcessors = new Capacity(4_000, 1_000, 2_000, Map.of());
        Capacity littleMemory = new Capacity(16_000, 9, 2_000, Map.of());

        assertThat(steps.claimer("w-0").claim(new Room(4, fewProcessors, 4)).join())
                .isEmpty();
        assertThat(steps.claimer("w-0").claim(new Room(4, littleMemory, 4)).join())
                .isEmpty();
    }

    /** Defect 6, claims that scan all that waits, is shown absent by QueueLoadTest. */
    @Test
    void defect6AClaimTakesWhatItHasRoomForAndLeavesTheRest() {
        for (int i = 0; i < 300; i++) {
            steps.submit(0);
        }

        assertThat(steps.claimer("w-0").claim(StoreFixture.room(3)).join()).hasSize(3);
    }

    /** Defect 7, waiters that poll, is shown absent by IdleTest: nobody polls, a waiter is told by its seat's mail. */
    @Test
    void defect7WhoWaitsIsRegisteredOnceAndToldOnce() {
        FutureId id = steps.submit(0);
        Awaiting awaiting = new Awaiting(steps.store, steps.reconstruction, steps.dependents);
        awaiting.register("w-7", List.of(id)).join();
        awaiting.register("w-7", List.of(id)).join();
        assertThat(steps.record(id).getWaitersList()).containsExactly("w-7");

        steps.outcomeCommitter("w-0")
                .record(claim("w-0"), StoreFixture.value("done"))
                .join();

        assertThat(steps.record(id).getWaitersList()).isEmpty();
        assertThat(steps.hasMail("w-7", id)).as("mail").isTrue();
    }

    @Test
    void defect8TwoLivesOfAWorkerAreToldApartHoweverFastItRestarts() {
        FutureId id = steps.submit(3);
        Claimed formerLife = claim("w-0");
        steps.takeover().release("w-0", 1).join();
        Claimed thisLife = claim("w-0");

        assertThat(formerLife.token()).isNotEqualTo(thisLife.token());
        assertThat(steps.outcomeCommitter("w-0")
                        .record(formerLife, StoreFixture.value("stale"))
                        .join())
                .isFalse();
        assertThat(steps.record(id).getClaim()).isEqualTo(thisLife.token());
    }

    @Test
    void defect9ARealizedFutureKeepsTheTokenAndLosesTheClaim() {
        FutureId id = steps.submit(0);
        Claimed claimed = claim("w-0");

        steps.outcomeCommitter("w-0")
                .record(claimed, StoreFixture.value("done"))
                .join();

        assertThat(steps.record(id).getClaim()).isEqualTo(claimed.token());
        assertThat(steps.store
                        .read(transaction ->
                                transaction.get(steps.store.keys().claims.key("w-0", 1L, id.value())))
                        .join())
                .as("the claim's index entry")
                .isNull();
    }

    @Test
    void defect10AFutureForADeadWorkerIsMovedToTheOthers() {
        FutureId preferring = steps.submit(OPTIONS.withLocality(Locality.onSeat("w-dead")));
        FutureId bound =
                steps.submit(OPTIONS.withLocality(Locality.onSeat("w-dead").withRequired())
                        .withRequirements(Requirements.defaults().waitingForCapacity()));

        new Requeue(steps.store, steps.noMembers()).sweep().join();

        assertThat(claim("w-1").id()).isEqualTo(preferring);
        assertThat(steps.record(bound).getState()).as("waits for its seat").isEqualTo(State.STATE_ASSIGNED);
    }

    @Test
    void whatWasMeantForADeadWorkerThatIsStillRecordedIsMovedAndWhatALaterOneMayTakeIsNot() {
        FutureId preferring = steps.submit(OPTIONS.withLocality(Locality.onSeat("w-dead")));
        Requeue moving =
                new Requeue(steps.store, steps.members(List.of(StoreFixture.member("w-dead", WorkerState.HEALTHY))));

        moving.release("w-dead", 0).join();
        assertThat(steps.record(preferring).getState()).isEqualTo(State.STATE_ASSIGNED);

        moving.release("w-dead", 1).join();
        assertThat(claim("w-1").id()).isEqualTo(preferring);
    }

    private Claimed claim(String seat) {
        List<Claimed> claimed = steps.claimer(seat).claim(StoreFixture.room(8)).join();
        assertThat(claimed).hasSize(1);
        return claimed.get(0);
    }

    private void fail(Claimed claimed) {
        var failure = Failures.of(FailureKind.FAILURE_KIND_EXCEPTION, new IllegalStateException("no"), "w-0");
        assertThat(steps.outcomeCommitter("w-0")
                        .record(claimed, new Outcome.Failed(failure, false))
                        .join())
                .isTrue();
    }
}
