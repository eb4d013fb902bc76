/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.RetryPolicy;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.Retries;
import dev.ratchet.futures.upkeep.Delays;
import dev.ratchet.futures.upkeep.Requeue;
import dev.ratchet.futures.upkeep.Unschedulable;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.client.v1.Refusal;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which future a worker takes next, and which never: as a user asks for it. */
class SchedulingTest {

    private static final SubmitOptions OPTIONS = SubmitOptions.ofJob(StoreFixture.JOB);

    private final StoreFixture steps = new StoreFixture();

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void aHigherPriorityIsServedFirst() {
        FutureId low = steps.submit(OPTIONS.withPriority(-1));
        FutureId normal = steps.submit(OPTIONS);
        FutureId high = steps.submit(OPTIONS.withPriority(7).withTenant("other"));

        assertThat(claimOneByOne(3)).containsExactly(high, normal, low);
    }

    @Test
    void aPriorityHoldsAcrossRequirements() {
        FutureId normal = steps.submit(OPTIONS);
        FutureId high = steps.submit(
                OPTIONS.withPriority(1).withRequirements(Requirements.cpus(2).waitingForCapacity()));

        assertThat(claimOneByOne(2)).containsExactly(high, normal);
    }

    @Test
    void aTenantThatFloodsTheQueueDoesNotHoldUpAnother() {
        for (int i = 0; i < 200; i++) {
            steps.submit(OPTIONS.withTenant("flood"));
        }
        FutureId lonely = steps.submit(OPTIONS.withTenant("lonely"));
        FutureId alone = steps.submit(OPTIONS.withTenant("alone"));

        assertThat(claimOneByOne(3)).contains(lonely, alone);
        FutureId again = steps.submit(OPTIONS.withTenant("lonely"));
        assertThat(claimOneByOne(3)).contains(again);
    }

    @Test
    void aWorkerTakesOnlyWhatFitsIntoIt() {
        FutureId gpu = steps.submit(
                OPTIONS.withRequirements(Requirements.defaults().withGpus(1).waitingForCapacity()));
        FutureId licensed = steps.submit(OPTIONS.withRequirements(
                Requirements.defaults().withCustom("license", 2).waitingForCapacity()));
        Capacity plain = new Capacity(4_000, 1 << 20, 500, Map.of("license", 1L));
        Capacity large = new Capacity(4_000, 1 << 20, 1_000, Map.of("license", 3L));

        assertThat(steps.claimer("w-0").claim(new Room(4, plain, 4)).join()).isEmpty();
        assertThat(steps.claimer("w-0").becomeIdle(new Room(4, plain, 4)).join())
                .as("nothing that it could take")
                .isTrue();
        assertThat(steps.claimer("w-1").claim(new Room(4, large, 4)).join())
                .extracting(Claimed::id)
                .containsExactlyInAnyOrder(gpu, licensed);
    }

    @Test
    void anIdleWorkerTakesWhatItQueuesItselfAndWakesOthersForTheRest() {
        AtomicInteger told = new AtomicInteger();
        AtomicBoolean takes = new AtomicBoolean(true);
        steps.store.usedBy("w-1", takes::get, told::incrementAndGet);
        for (String seat : List.of("w-0", "w-1", "w-2")) {
            assertThat(steps.claimer(seat).becomeIdle(StoreFixture.room(1)).join())
                    .isTrue();
        }

        steps.submit(OPTIONS);
        assertThat(told).hasValue(1);
        assertThat(idle()).containsExactlyInAnyOrder("w-0", "w-2");
        assertThat(wakeUps()).as("ways through the store").isEmpty();

        steps.submit(OPTIONS);
        assertThat(told).hasValue(1);
        assertThat(idle()).hasSize(1);
        assertThat(wakeUps()).hasSize(1).doesNotContain("w-1");

        takes.set(false);
        assertThat(steps.claimer("w-1").claim(StoreFixture.room(4)).join()).hasSize(2);
        assertThat(steps.claimer("w-1").becomeIdle(StoreFixture.room(1)).join()).isTrue();
        steps.submit(OPTIONS);
        steps.submit(OPTIONS);
        assertThat(told).as("while it takes nothing").hasValue(1);
        assertThat(wakeUps()).contains("w-1");
    }

    @Test
    void anIdleWorkerLearnsOfWhatItHasQueuedByACommitOfUnknownOutcome() {
        try (StoreFixture twice = new StoreFixture(SchedulingTest::repeatingCommits)) {
            AtomicInteger told = new AtomicInteger();
            twice.store.usedBy("w-1", () -> true, told::incrementAndGet);
            assertThat(twice.claimer("w-1").becomeIdle(StoreFixture.room(1)).join())
                    .isTrue();

            twice.submit(OPTIONS);

            assertThat(told).hasValue(1);
        }
    }

    @Test
    void anIdleWorkerNeedNotLookForWhatItIsToldOf() {
        Claimer claimer = steps.claimer("w-0");
        assertThat(claimer.willBeWokenFor(StoreFixture.room(1))).isFalse();

        assertThat(claimer.becomeIdle(new Room(1, Capacity.ofThreads(4), 2)).join())
                .isTrue();
        assertThat(claimer.willBeWokenFor(new Room(3, Capacity.ofThreads(4), 1)))
                .as("more of the same")
                .isTrue();
        assertThat(claimer.willBeWokenFor(new Room(1, Capacity.ofThreads(4), 3)))
                .as("more that have requirements of their own")
                .isFalse();
        assertThat(claimer.willBeWokenFor(new Room(1, Capacity.ofThreads(5), 2)))
                .as("larger ones")
                .isFalse();

        steps.submit(OPTIONS);
        assertThat(claimer.claim(StoreFixture.room(4)).join()).hasSize(1);
        assertThat(claimer.willBeWokenFor(StoreFixture.room(3))).isFalse();
    }

    @Test
    void whoIsWokenLooksForRequirementsThatItHasNotSeenBefore() {
        Claimer claimer = steps.claimer("w-0");
        Room noSlot = new Room(0, Capacity.ofThreads(1), 1);
        assertThat(claimer.becomeIdle(noSlot).join()).isTrue();

        FutureId half =
                steps.submit(OPTIONS.withRequirements(Requirements.cpus(0.5).waitingForCapacity()));

        assertThat(wakeUps()).as("who has room for it").containsExactly("w-0");
        assertThat(claimer.mustLook(noSlot)).isTrue();
        assertThat(claimer.claim(noSlot).join()).extracting(Claimed::id).containsExactly(half);
    }

    @Test
    void whoIsWokenForWhatItHasNoRoomForAnyMoreWakesAnother() {
        Claimer claimer = steps.claimer("w-0");
        assertThat(claimer.becomeIdle(StoreFixture.room(1)).join()).isTrue();
        steps.submit(OPTIONS);
        assertThat(wakeUps()).containsExactly("w-0");
        for (Room room : List.of(new Room(0, Capacity.ofThreads(1), 1), new Room(0, Capacity.ofThreads(0), 0))) {
            steps.store
                    .runPlain(transaction -> {
                        transaction.clear(steps.store.keys().idle.range());
                        new IdleSeats(steps.store.keys(), steps.environment.random())
                                .declareIdle(transaction, "w-1", 1, Capacity.ofThreads(1));
                        return CompletableFuture.completedFuture(null);
                    })
                    .join();

            assertThat(claimer.mustLook(room)).isTrue();
            assertThat(claimer.claim(room).join()).isEmpty();

            assertThat(wakeUps()).contains("w-1");
        }
    }

    @Test
    void whoFindsNothingButVoidEntriesLooksAgainAtOnce() {
        List<FutureId> cancelled = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            cancelled.add(steps.submit(OPTIONS));
        }
        assertThat(steps.cancellation().cancelTree(cancelled).join()).hasSize(10);
        Claimer claimer = steps.claimer("w-0");
        Room room = StoreFixture.room(4);
        AtomicInteger waits = new AtomicInteger();

        for (int looks = 0; looks < 2; looks++) {
            assertThat(claimer.claim(room).join()).isEmpty();
            assertThat(claimer.becomeIdleOrWait(room, waits::incrementAndGet).join())
                    .as("idle, or waiting for others, while something of its own is left")
                    .isFalse();
        }
        assertThat(claimer.claim(room).join()).isEmpty();
        assertThat(claimer.becomeIdleOrWait(room, waits::incrementAndGet).join())
                .isTrue();
        assertThat(claimer.isIdle()).isTrue();
    }

    @Test
    void whoBecomesIdleWhileTheQueueIsFilledIsNotIdle() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        try (StoreFixture busy = new StoreFixture(real -> disturbed(real, meanwhile))) {
            Claimer claimer = busy.claimer("w-0");
            for (boolean once : new boolean[] {true, false}) {
                meanwhile.set(() -> busy.submit(OPTIONS));
                Room room = StoreFixture.room(1);
                assertThat((once ? claimer.becomeIdleUnlessDisturbed(room) : claimer.becomeIdle(room)).join())
                        .isFalse();
                assertThat(claimer.isIdle()).isFalse();
                assertThat(claimer.claim(room).join()).hasSize(1);
            }
        }
    }

    @Test
    void whatIsQueuedWakesAWorkerThatHasTakenNothingElseMeanwhile() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        try (StoreFixture busy = new StoreFixture(real -> disturbed(real, meanwhile))) {
            Claimer chosen = busy.claimer("w-0");
            Claimer other = busy.claimer("w-1");
            Room one = StoreFixture.room(1);
            assertThat(chosen.becomeIdle(one).join()).isTrue();
            meanwhile.set(() -> {
                busy.submit(OPTIONS);
                assertThat(chosen.claim(one).join()).hasSize(1);
                assertThat(other.becomeIdle(one).join()).isTrue();
            });

            busy.submit(OPTIONS);

            assertThat(seats(busy, busy.store.keys().idle))
                    .as("idle while something waits")
                    .isEmpty();
        }
    }

    /** Has something happen once between what a transaction reads and its commit. */
    private static Database disturbed(Database real, AtomicReference<Runnable> meanwhile) {
        return ProxiedDatabase.running(
                real,
                handler ->
                        real.runAsync(transaction -> handler.apply(transaction).thenApply(result -> {
                            meanwhile.getAndSet(() -> {}).run();
                            return result;
                        })));
    }

    /** Has each transaction committed, and begun again as if nobody knew. */
    private static Database repeatingCommits(Database real) {
        return ProxiedDatabase.running(
                real, handler -> real.runAsync(handler).thenCompose(unknown -> real.runAsync(handler)));
    }

    private List<String> idle() {
        return seats(steps, steps.store.keys().idle);
    }

    private List<String> wakeUps() {
        return seats(steps, steps.store.keys().wake);
    }

    private static List<String> seats(StoreFixture steps, Table<?> table) {
        return steps
                .store
                .read(transaction -> transaction.getRange(table.range()).asList())
                .join()
                .stream()
                .map(row -> table.elements(row.getKey()).getString(0))
                .toList();
    }

    @Test
    void severalFuturesShareWhatAWorkerHas() {
        Requirements third = Requirements.defaults().withMemoryBytes(300).waitingForCapacity();
        for (int i = 0; i < 5; i++) {
            steps.submit(OPTIONS.withRequirements(third));
        }

        List<Claimed> claimed = steps.claimer("w-0")
                .claim(new Room(0, new Capacity(8_000, 1_000, 0, Map.of()), 8))
                .join();

        assertThat(claimed).hasSize(3);
    }

    @Test
    void whatNoMemberCanDoIsRefusedUnlessItWaits() {
        Requirements huge = Requirements.cpus(64);

        List<Refusal> refused = steps.submit(FutureId.random(), OPTIONS.withRequirements(huge));
        List<Refusal> waiting = steps.submit(FutureId.random(), OPTIONS.withRequirements(huge.waitingForCapacity()));

        assertThat(refused).hasSize(1);
        assertThat(refused.get(0).getMessage()).contains("cpuMillis=64000").contains("waiting for capacity");
        assertThat(waiting).isEmpty();
    }

    @Test
    void aRequiredSeatThatNobodyHasIsRefusedUnlessItWaits() {
        steps.members.add(StoreFixture.member("w-1", WorkerState.HEALTHY));
        steps.members.add(StoreFixture.member("w-2", WorkerState.MUST_DIE));
        SubmitOptions gone = OPTIONS.withLocality(Locality.onSeat("w-2").withRequired());

        assertThat(steps.submit(FutureId.random(), gone))
                .singleElement()
                .extracting(Refusal::getMessage)
                .asString()
                .contains("No worker has the seat w-2")
                .contains("There is one worker: w-1.");
        assertThat(steps.submit(
                        FutureId.random(),
                        gone.withRequirements(Requirements.defaults().waitingForCapacity())))
                .isEmpty();
        assertThat(steps.submit(FutureId.random(), OPTIONS.withLocality(Locality.onSeat("w-2"))))
                .as("where it is only preferred")
                .isEmpty();
        assertThat(steps.submit(
                        FutureId.random(),
                        OPTIONS.withLocality(Locality.onSeat("w-1").withRequired())
                                .withRequirements(Requirements.cpus(2))))
                .singleElement()
                .extracting(Refusal::getMessage)
                .asString()
                .startsWith("The only worker that it may run on, w-1, is not large enough: required cpuMillis=2000");
    }

    @Test
    void whatMayOnlyRunOnASeatThatIsGoneFailsAfterAMinuteUnlessItWaits() {
        steps.members.add(StoreFixture.member("w-1", WorkerState.HEALTHY));
        SubmitOptions there = OPTIONS.withLocality(Locality.onSeat("w-1").withRequired());
        FutureId bound = steps.submit(there);
        FutureId waiting =
                steps.submit(there.withRequirements(Requirements.defaults().waitingForCapacity()));
        FutureId preferring = steps.submit(OPTIONS.withLocality(Locality.onSeat("w-1")));
        Unschedulable unschedulable = steps.unschedulable();
        steps.members.clear();

        unschedulable.sweep().join();
        steps.environment.pass(50_000);
        unschedulable.sweep().join();
        assertThat(steps.record(bound).getState()).isEqualTo(State.STATE_ASSIGNED);
        steps.environment.pass(10_000);
        unschedulable.sweep().join();

        assertThat(steps.record(bound).getState()).isEqualTo(State.STATE_FAILED);
        assertThat(steps.record(bound).getFailure().getMessage()).contains("No worker has the seat w-1");
        assertThat(List.of(waiting, preferring)).allMatch(id -> steps.record(id).getState() == State.STATE_ASSIGNED);
    }

    @Test
    void aDelayedFutureIsClaimedOnlyWhenItIsDue() {
        FutureId later = steps.submit(OPTIONS.withDelay(Duration.ofHours(1)));
        assertThat(steps.record(later).getState()).isEqualTo(State.STATE_DELAYED);
        FutureId soon = steps.submit(OPTIONS.withDelay(Duration.ofMillis(20)));
        Delays delays = new Delays(steps.store);

        org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            delays.look();
            return steps.record(soon).getState() == State.STATE_QUEUED;
        });

        assertThat(claimOneByOne(2)).containsExactly(soon);
        assertThat(steps.record(later).getState()).isEqualTo(State.STATE_DELAYED);
    }

    @Test
    void theRetryPolicyDecidesByTheTypeOfTheFailure() {
        RetryPolicy policy = RetryPolicy.defaults().retryingOn(java.io.IOException.class);
        FutureId retried = steps.submit(OPTIONS.withRetries(policy));
        failOnce(new java.io.FileNotFoundException("gone"));
        assertThat(steps.record(retried).getState()).isEqualTo(State.STATE_QUEUED);
        steps.cancellation().cancel(List.of(retried)).join();

        FutureId given = steps.submit(OPTIONS.withRetries(RetryPolicy.defaults().failingOn(RuntimeException.class)));
        failOnce(new IllegalStateException("final"));

        assertThat(steps.record(given).getState()).isEqualTo(State.STATE_FAILED);
    }

    @Test
    void aRetryWaitsLongerEachTime() {
        RetryPolicy policy = RetryPolicy.defaults().withBackOff(Duration.ofHours(1), 3, Duration.ofHours(5));
        FutureId id = steps.submit(OPTIONS.withRetries(policy));

        failOnce(new IllegalStateException("again"));

        assertThat(steps.record(id).getState()).isEqualTo(State.STATE_DELAYED);
        var stored = steps.record(id).getSchedulingSpec().getRetries();
        assertThat(List.of(
                        Retries.delayMillis(stored, 1), Retries.delayMillis(stored, 2), Retries.delayMillis(stored, 3)))
                .containsExactly(3_600_000L, 10_800_000L, 18_000_000L);
    }

    @Test
    void afterRunningOutOfMemoryMoreIsRequired() {
        FutureId id = steps.submit(OPTIONS.withRequirements(
                        Requirements.defaults().withMemoryBytes(1_000).waitingForCapacity())
                .withRetries(RetryPolicy.defaults().withMemoryFactor(2)));
        Claimed claimed = claimLarge("w-0").get(0);

        steps.outcomeCommitter("w-0")
                .record(
                        claimed,
                        new Outcome.Failed(
                                Failures.of(
                                        FailureKind.FAILURE_KIND_OUT_OF_MEMORY, new OutOfMemoryError("heap"), "w-0"),
                                false))
                .join();

        assertThat(steps.record(id).getRaisedRequirements().getMemoryBytes()).isEqualTo(2_000);
        assertThat(steps.record(id).getAvoidedSeatsList()).containsExactly("w-0");
        assertThat(steps.claimer("w-1")
                        .claim(new Room(1, new Capacity(8_000, 1_999, 0, Map.of()), 8))
                        .join())
                .isEmpty();
        assertThat(claimLarge("w-1")).extracting(Claimed::id).containsExactly(id);
    }

    @Test
    void afterTheLossOfItsWorkerMoreMemoryIsRequiredToo() {
        FutureId id = steps.submit(OPTIONS.withRequirements(
                        Requirements.defaults().withMemoryBytes(1_000).waitingForCapacity())
                .withRetries(RetryPolicy.defaults().withMemoryFactor(2)));
        claimLarge("w-0");

        steps.takeover().release("w-0", 1).join();

        assertThat(steps.record(id).getRaisedRequirements().getMemoryBytes()).isEqualTo(2_000);
        assertThat(claimLarge("w-1")).extracting(Claimed::id).containsExactly(id);
    }

    @Test
    void aPriorityCanBeChangedWhileTheFutureWaits() {
        FutureId one = steps.submit(OPTIONS);
        FutureId other = steps.submit(OPTIONS);
        FutureId last = steps.submit(OPTIONS.withPriority(-5));
        Requeue moving = new Requeue(steps.store, steps.noMembers());

        assertThat(moving.prioritize(List.of(last, other), 5).join()).containsExactly(last, other);
        assertThat(moving.prioritize(List.of(one), -10).join()).containsExactly(one);

        assertThat(claimOneByOne(6)).as("void entries cost a look").hasSize(3).endsWith(one);
        assertThat(steps.record(last).getSchedulingSpec().getPriority()).isEqualTo(5);
    }

    @Test
    void aPriorityCanBeChangedBeforeTheUpstreamsAreDone() {
        FutureId upstream = steps.submit(OPTIONS);
        FutureId dependent = FutureId.random();
        SubmittedFuture.Builder waiting =
                StoreFixture.submitted(dependent, OPTIONS).toBuilder().addUpstreams(Ids.bytes(upstream));
        assertThat(steps.submission
                        .submit(SubmitRequest.newBuilder().addFutures(waiting).build(), Optional.empty())
                        .join()
                        .refusals())
                .isEmpty();
        FutureId other = steps.submit(OPTIONS.withPriority(3));

        assertThat(new Requeue(steps.store, steps.noMembers())
                        .prioritize(List.of(dependent), 5)
                        .join())
                .containsExactly(dependent);

        assertThat(steps.record(dependent).getState()).isEqualTo(State.STATE_WAITING);
        List<Claimed> before = new ArrayList<>();
        for (int priorities = 0; priorities < 2; priorities++) {
            before.addAll(steps.claimer("w-0").claim(StoreFixture.room(10)).join());
        }
        assertThat(before).extracting(Claimed::id).containsExactly(other, upstream);
        FutureId another = steps.submit(OPTIONS.withPriority(3));
        before.forEach(claimed -> steps.outcomeCommitter("w-0")
                .record(claimed, StoreFixture.value("done"))
                .join());
        assertThat(claimOneByOne(2)).containsExactly(dependent, another);
    }

    @Test
    void aPriorityCanBeChangedBeforeADelayIsOver() {
        FutureId delayed = steps.submit(OPTIONS.withDelay(Duration.ofHours(1)));
        FutureId other = steps.submit(OPTIONS.withPriority(3));

        assertThat(new Requeue(steps.store, steps.noMembers())
                        .prioritize(List.of(delayed), 5)
                        .join())
                .containsExactly(delayed);

        assertThat(steps.record(delayed).getState()).as("no sooner for that").isEqualTo(State.STATE_DELAYED);
        steps.environment.pass(2 * 3_600_000);
        new Delays(steps.store).look();
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> steps.record(delayed).getState() == State.STATE_QUEUED);
        assertThat(claimOneByOne(3)).as("void entries cost a look").containsExactly(delayed, other);
    }

    private List<Claimed> claimLarge(String seat) {
        return steps.claimer(seat)
                .claim(new Room(1, new Capacity(8_000, 1_000_000, 0, Map.of()), 8))
                .join();
    }

    /** Claims the only future there is, and fails it. */
    private void failOnce(Throwable thrown) {
        Claimed claimed =
                steps.claimer("w-0").claim(StoreFixture.room(10)).join().get(0);
        Failure failure = Failures.of(FailureKind.FAILURE_KIND_EXCEPTION, thrown, "w-0");
        steps.outcomeCommitter("w-0")
                .record(claimed, new Outcome.Failed(failure, false))
                .join();
    }

    private List<FutureId> claimOneByOne(int times) {
        Claimer claimer = steps.claimer("w-9");
        List<FutureId> order = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            claimer.claim(new Room(1, Capacity.ofThreads(4), 1)).join().forEach(claimed -> order.add(claimed.id()));
        }
        return order;
    }
}
