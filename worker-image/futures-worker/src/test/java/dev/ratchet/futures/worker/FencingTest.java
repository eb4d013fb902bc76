/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.futures.submit.Awaiting;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.client.v1.Refusal;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.State;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A claim protects exactly as long as it is in force, seen from the store alone: nobody here knows any clock. */
class FencingTest {

    private final StoreFixture steps = new StoreFixture();

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void theOutcomeOfAClaimThatWasTakenOverIsRefused() {
        FutureId id = steps.submit(3);
        Claimed stale = steps.claimer("w-0").claim(StoreFixture.room(10)).join().get(0);
        assertThat(steps.takeover().release("w-0", 1).join()).isEqualTo(1);
        Claimed fresh = steps.claimer("w-1").claim(StoreFixture.room(10)).join().get(0);
        assertThat(steps.outcomeCommitter("w-1")
                        .record(fresh, StoreFixture.value("new"))
                        .join())
                .isTrue();

        assertThat(steps.outcomeCommitter("w-0")
                        .record(stale, StoreFixture.value("old"))
                        .join())
                .isFalse();

        assertThat(steps.record(id).getResult().getInline().toStringUtf8()).isEqualTo("new");
        assertThat(steps.record(id).getEpoch()).isEqualTo(2);
        assertThat(steps.record(id).getNumAttempts()).isEqualTo(2);
    }

    @Test
    void anOutcomeThatComesWhileAnotherWorkerRunsTheTaskIsRefused() {
        FutureId id = steps.submit(3);
        Claimed stale = steps.claimer("w-0").claim(StoreFixture.room(10)).join().get(0);
        steps.takeover().release("w-0", 1).join();
        Claimed fresh = steps.claimer("w-1").claim(StoreFixture.room(10)).join().get(0);

        assertThat(steps.outcomeCommitter("w-0")
                        .record(stale, StoreFixture.value("old"))
                        .join())
                .isFalse();

        assertThat(steps.record(id).getState()).isEqualTo(State.STATE_CLAIMED);
        assertThat(steps.record(id).getClaim()).isEqualTo(fresh.token());
    }

    @Test
    void ofTwoFuturesWithOneIdInARequestTheFirstIsRecorded() {
        FutureId id = FutureId.ofKey("default", "invoice-7");
        SubmittedFuture first = StoreFixture.submitted(id, SubmitOptions.ofJob(StoreFixture.JOB));
        SubmitRequest both = SubmitRequest.newBuilder()
                .addFutures(first.toBuilder().setName("first"))
                .addFutures(first.toBuilder().setName("second"))
                .build();

        assertThat(steps.submission.submit(both, Optional.empty()).join().refusals())
                .isEmpty();

        assertThat(steps.record(id).getName()).isEqualTo("first");
    }

    @Test
    void recordingAnOutcomeTwiceIsRecordingItOnce() {
        FutureId id = steps.submit(3);
        Claimed claim = steps.claimer("w-0").claim(StoreFixture.room(10)).join().get(0);

        assertThat(steps.outcomeCommitter("w-0")
                        .record(claim, StoreFixture.value("once"))
                        .join())
                .isTrue();
        assertThat(steps.outcomeCommitter("w-0")
                        .record(claim, StoreFixture.value("once"))
                        .join())
                .isTrue();

        assertThat(steps.record(id).getState()).isEqualTo(State.STATE_REALIZED);
        assertThat(steps.count("realized", "w-0")).isEqualTo(1);
    }

    @Test
    void aLostWorkerCountsAsAnAttemptUntilNoneIsLeft() {
        FutureId id = steps.submit(1);
        steps.claimer("w-0").claim(StoreFixture.room(10)).join();
        steps.takeover().release("w-0", 1).join();
        assertThat(steps.record(id).getState()).isEqualTo(State.STATE_QUEUED);
        steps.claimer("w-0").claim(StoreFixture.room(10)).join();

        steps.takeover().release("w-0", 1).join();

        assertThat(steps.record(id).getState()).isEqualTo(State.STATE_FAILED);
        assertThat(steps.record(id).getNumAttempts()).isEqualTo(2);
        assertThat(steps.record(id).getFailure().getMessage()).contains("was lost while it had the task");
    }

    @Test
    void aKillThatIsRepeatedAfterACommitOfUnknownResultEndsNoOtherAttempt() {
        AtomicReference<Optional<Runnable>> meanwhile = new AtomicReference<>(Optional.empty());
        try (StoreFixture unsure = new StoreFixture(real -> repeating(real, meanwhile))) {
            FutureId id = unsure.submit(3);
            unsure.claimer("w-0").claim(StoreFixture.room(10)).join();
            meanwhile.set(Optional.of(
                    () -> unsure.claimer("w-1").claim(StoreFixture.room(10)).join()));

            assertThat(unsure.cancellation().kill(List.of(id)).join()).containsExactly(id);

            assertThat(unsure.record(id).getState()).isEqualTo(State.STATE_CLAIMED);
            assertThat(unsure.record(id).getClaim().getSeat()).isEqualTo("w-1");
            assertThat(unsure.record(id).getNumAttempts()).isEqualTo(2);
            assertThat(unsure.count("retried", "")).isEqualTo(1);
        }
    }

    @Test
    void whatACommitOfUnknownResultHasLeftToFurtherTransactionsIsDoneAtOnce() {
        AtomicReference<Optional<Runnable>> meanwhile = new AtomicReference<>(Optional.empty());
        AtomicInteger left = new AtomicInteger();
        try (StoreFixture unsure = new StoreFixture(real -> repeating(real, meanwhile))) {
            unsure.store.onDependentsLeft(left::incrementAndGet);
            FutureId upstream = unsure.submit(0);
            Claimed claim =
                    unsure.claimer("w-0").claim(StoreFixture.room(1)).join().getFirst();
            SubmitRequest.Builder request = SubmitRequest.newBuilder();
            for (int dependent = 0; dependent < 250; dependent++) {
                request.addFutures(
                        StoreFixture.submitted(FutureId.random(), SubmitOptions.ofJob(StoreFixture.JOB)).toBuilder()
                                .addUpstreams(Ids.bytes(upstream)));
            }
            unsure.submission.submit(request.build(), Optional.empty()).join();
            assertThat(left).as("nothing is done yet").hasValue(0);

            meanwhile.set(Optional.of(() -> {}));
            OutcomeCommitter committer = unsure.outcomeCommitter("w-0");
            assertThat(committer.record(claim, StoreFixture.value("x")).join()).isTrue();
            assertThat(left).hasValue(1);
        }
    }

    /** Where something is to happen meanwhile: commits, has it happen, and begins again as if nobody knew. */
    private static Database repeating(Database real, AtomicReference<Optional<Runnable>> meanwhile) {
        return ProxiedDatabase.running(real, handler -> real.runAsync(handler).thenCompose(result -> {
            Optional<Runnable> next = meanwhile.getAndSet(Optional.empty());
            next.ifPresent(Runnable::run);
            return next.isPresent() ? real.runAsync(handler) : CompletableFuture.completedFuture(result);
        }));
    }

    @Test
    void mailWaitsForAMachineThatOnlySleptAndIsClearedOnceItsSeatIsOver() {
        FutureId id = steps.submit(0);
        new Awaiting(steps.store, steps.reconstruction, steps.dependents)
                .register("w-7", List.of(id))
                .join();
        Claimed claim = steps.claimer("w-0").claim(StoreFixture.room(10)).join().get(0);
        steps.outcomeCommitter("w-0").record(claim, StoreFixture.value("done")).join();

        steps.takeover(List.of(StoreFixture.member("w-7", WorkerState.HEALTHY)))
                .release("w-7", 1)
                .join();
        assertThat(steps.hasMail("w-7", id)).as("observed dead, recorded alive").isTrue();

        steps.takeover(List.of(StoreFixture.member("w-7", WorkerState.MUST_DIE)))
                .release("w-7", 1)
                .join();
        assertThat(steps.hasMail("w-7", id)).as("recorded dead").isFalse();
    }

    @Test
    void whatIsGivenBackDoesNotCount() {
        FutureId id = steps.submit(0);
        for (int i = 0; i < 5; i++) {
            Claimed claim =
                    steps.claimer("w-0").claim(StoreFixture.room(10)).join().get(0);
            steps.outcomeCommitter("w-0").record(claim, new Outcome.GivenBack()).join();
        }

        assertThat(steps.record(id).getState()).isEqualTo(State.STATE_QUEUED);
        assertThat(steps.record(id).getNumAttempts()).isZero();
        assertThat(steps.record(id).getEpoch()).isEqualTo(5);
    }

    /** Who cancels ends the children that there are; later ones nobody would end. */
    @Test
    void whatATaskSubmitsAfterItsCancellationIsRefused() {
        FutureId parent = steps.submit(0);
        assertThat(steps.claimer("w-0").claim(StoreFixture.room(1)).join()).hasSize(1);
        FutureId before = FutureId.random();
        assertThat(submitChild(parent, before)).isEmpty();
        assertThat(steps.cancellation().cancelTree(List.of(parent)).join()).containsExactly(parent);

        FutureId after = FutureId.random();
        assertThat(submitChild(parent, after)).singleElement().satisfies(refusal -> assertThat(refusal.getMessage())
                .contains(parent + " that submits it was"));
        assertThat(submitChild(parent, before)).as("it is known").isEmpty();

        assertThat(steps.record(before).getState()).isEqualTo(State.STATE_CANCELLED);
        assertThat(steps.claimer("w-0").claim(StoreFixture.room(1)).join()).isEmpty();
    }

    private List<Refusal> submitChild(FutureId parent, FutureId child) {
        SubmittedFuture future = StoreFixture.submitted(child, SubmitOptions.ofJob(StoreFixture.JOB));
        SubmitRequest request = SubmitRequest.newBuilder()
                .addFutures(future.toBuilder().setParent(Ids.bytes(parent)))
                .build();
        return steps.submission.submit(request, Optional.empty()).join().refusals();
    }

    @Test
    void aCancelledFutureLeavesNothingToClaim() {
        FutureId id = steps.submit(0);

        steps.cancellation().cancel(List.of(id)).join();

        assertThat(steps.claimer("w-0").claim(StoreFixture.room(10)).join()).isEmpty();
        assertThat(steps.claimer("w-0").becomeIdle(StoreFixture.room(1)).join())
                .as("its entry is gone too")
                .isTrue();
        assertThat(steps.record(id).getState()).isEqualTo(State.STATE_CANCELLED);
    }

    @Test
    void twoClaimersNeverGetTheSameFuture() {
        for (int i = 0; i < 50; i++) {
            steps.submit(0);
        }
        CompletableFuture<List<Claimed>> one = steps.claimer("w-0").claim(StoreFixture.room(50));
        CompletableFuture<List<Claimed>> other = steps.claimer("w-1").claim(StoreFixture.room(50));

        List<Claimed> all = new java.util.ArrayList<>(one.join());
        all.addAll(other.join());

        assertThat(all).extracting(Claimed::id).doesNotHaveDuplicates().hasSize(50);
    }

    @Test
    void externalEffectsAreNotRepeatedAtOnceUnlessTheSeatIsGone() {
        SubmitOptions options = SubmitOptions.ofJob(StoreFixture.JOB);
        List<FutureId> plain =
                Stream.generate(() -> steps.submit(options)).limit(100).toList();
        List<FutureId> marked = Stream.generate(() -> steps.submit(options.withExternalEffects()))
                .limit(100)
                .toList();
        steps.claimer("w-0").claim(StoreFixture.room(200)).join();
        Member dead = StoreFixture.member("w-0", WorkerState.MUST_DIE);

        assertThat(steps.takeover(List.of(dead)).release("w-0", 1).join()).isEqualTo(plain.size());

        assertThat(plain).allMatch(id -> steps.record(id).getState() == State.STATE_QUEUED);
        assertThat(marked).allMatch(id -> steps.record(id).getState() == State.STATE_CLAIMED);
        assertThat(steps.takeover(List.of()).release("w-0", 1).join()).isEqualTo(marked.size());
    }
}
