/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.execute.Executions;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.RequirementClasses;
import dev.ratchet.futures.queue.WorkQueue.Slice;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.worker.ProxiedDatabase;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.membership.NotWorkingException;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.store.keyspace.Table;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** When a worker looks at the queue, and when it does not. */
class ClaimLoopTest {

    private static final String SEAT = "w-1";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Slice ALONE = new Slice(0, 1, 1);

    private final AtomicInteger transactions = new AtomicInteger();
    private final CompletableFuture<Void> gate = new CompletableFuture<>();
    private final List<Claimed> taken = new CopyOnWriteArrayList<>();

    /** The first is a look at the queue; the second one, which declares the worker idle, waits for the gate. */
    private CompletableFuture<Object> run(Database real, Function<Transaction, CompletableFuture<Object>> handler) {
        return transactions.incrementAndGet() == 2
                ? gate.thenCompose(unused -> real.runAsync(handler))
                : real.runAsync(handler);
    }

    private ClaimLoop loop(StoreFixture fixture) {
        return new ClaimLoop(
                fixture.environment,
                new OpenSeat(SEAT),
                fixture.claimer(SEAT),
                new Executions(2, Capacity.ofThreads(2)),
                new WorkCounters(),
                taken::addAll,
                () -> false);
    }

    @Test
    void whoDeclaresItselfIdleDoesNotLookAgainForRoomThatBecomesFreeMeanwhileAndIsWoken() {
        try (StoreFixture fixture =
                new StoreFixture(real -> ProxiedDatabase.running(real, handler -> run(real, handler)))) {
            ClaimLoop loop = loop(fixture);
            fixture.store.usedBy(SEAT, () -> true, loop::poke);

            loop.poke();
            Awaitility.await().atMost(LIMIT).until(() -> transactions.get() == 2);
            loop.roomIsFree();
            loop.roomIsFreeSoon();
            gate.complete(null);

            Awaitility.await("it has looked once, and declared itself idle")
                    .atMost(LIMIT)
                    .until(() -> loop.isThrough(1));
            Awaitility.await("no other look")
                    .during(Duration.ofMillis(200))
                    .until(() -> transactions.get() == 2 && loop.round() == 1);

            FutureId id = fixture.submit(1);
            Awaitility.await("it is woken").atMost(LIMIT).until(() -> !taken.isEmpty());
            assertThat(taken).extracting(Claimed::id).containsExactly(id);
        }
    }

    @Test
    void whoStopsTakingWorkHasAnotherOneWokenForWhatItWasWokenFor() {
        try (StoreFixture fixture = new StoreFixture()) {
            ClaimLoop loop = loop(fixture);
            loop.poke();
            Awaitility.await("it is idle").atMost(LIMIT).until(() -> idle(fixture)
                    .equals(List.of(SEAT)));
            assertThat(fixture.claimer("w-2").becomeIdle(StoreFixture.room(1)).join())
                    .isTrue();
            // The wake-up comes when it has begun to drain.
            fixture.store.usedBy(SEAT, () -> true, () -> {
                loop.close();
                loop.poke();
            });

            fixture.submit(1);

            Awaitility.await("the other one is woken").atMost(LIMIT).until(() -> idle(fixture)
                    .isEmpty());
            assertThat(taken).isEmpty();
        }
    }

    @Test
    void whoHasLostItsSeatWritesNothingWhenItsClaimIsRefused() {
        AtomicReference<CompletableFuture<Object>> answer = new AtomicReference<>();
        try (StoreFixture fixture = new StoreFixture(real -> ProxiedDatabase.running(real, handler -> {
            transactions.incrementAndGet();
            CompletableFuture<Object> given = answer.getAndSet(null);
            return given == null ? real.runAsync(handler) : given;
        }))) {
            ClaimLoop loop = loop(fixture);
            loop.poke();
            Awaitility.await("it is idle").atMost(LIMIT).until(() -> loop.isThrough(1));
            assertThat(idle(fixture)).containsExactly(SEAT);
            CompletableFuture<Object> refusal = new CompletableFuture<>();
            answer.set(refusal);
            loop.poke();
            int before = transactions.get();

            loop.abandon();
            refusal.completeExceptionally(new NotWorkingException(SEAT, WorkerState.MUST_DIE));

            Awaitility.await("its claim is through").atMost(LIMIT).until(() -> loop.isThrough(2));
            loop.close();
            assertThat(transactions).hasValue(before);
            assertThat(idle(fixture)).containsExactly(SEAT);
        }
    }

    @Test
    void whoHasLostItsSeatAndDoesNotKnowItDoesNotTakeBackThatItIsIdle() {
        try (StoreFixture fixture = new StoreFixture()) {
            OpenSeat lost = new OpenSeat(
                    SEAT, () -> CompletableFuture.failedFuture(new SeatLostException(SEAT, 1, "it was replaced")));
            Claimer claimer =
                    new Claimer(fixture.store, lost, new RequirementClasses(fixture.store.keys()), () -> ALONE);
            assertThat(claimer.becomeIdle(StoreFixture.room(1)).join()).isTrue();

            assertThatThrownBy(() -> claimer.becomeUnavailable().join()).hasCauseInstanceOf(SeatLostException.class);

            assertThat(idle(fixture)).containsExactly(SEAT);
        }
    }

    private static List<String> idle(StoreFixture fixture) {
        Table<Requirements> idle = fixture.store.keys().idle;
        return fixture
                .store
                .read(transaction -> transaction.getRange(idle.range()).asList())
                .join()
                .stream()
                .map(row -> idle.elements(row.getKey()).getString(0))
                .toList();
    }
}
