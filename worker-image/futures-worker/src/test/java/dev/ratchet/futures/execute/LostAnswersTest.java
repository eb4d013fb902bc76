/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.claim.ClaimLoop;
import dev.ratchet.futures.claim.WorkCounters;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.futures.worker.ProxiedDatabase;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.fixture.Proxied;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker has done without learning it, while it lives: nobody takes over from it. */
class LostAnswersTest {

    private static final String SEAT = "w-0";

    /** More than are read at once. */
    private static final int MANY = 1_200;

    private static final int PAGE = 200;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private static Executions executions() {
        return new Executions(2, Capacity.ofThreads(2));
    }

    private static ClaimLoop claims(StoreFixture fixture, Executions executions) {
        ClaimLoop claims = new ClaimLoop(
                fixture.environment,
                new OpenSeat(SEAT),
                fixture.claimer(SEAT),
                executions,
                new WorkCounters(),
                taken -> {},
                () -> false);
        claims.abandon();
        return claims;
    }

    private OwnClaims ownClaims(StoreFixture fixture, Executions executions) throws Exception {
        return ownClaims(fixture, executions, claims(fixture, executions));
    }

    private OwnClaims ownClaims(StoreFixture fixture, Executions executions, ClaimLoop claims) throws Exception {
        OpenSeat seat = new OpenSeat(SEAT);
        Unrecorded unrecorded = new Unrecorded(new ObjectStore(directory, 1 << 20, 1 << 20));
        Endings endings = new Endings(
                seat,
                executions,
                fixture.outcomeCommitter(SEAT),
                unrecorded,
                (id, outcome) -> {},
                new WorkCounters(),
                claims);
        return new OwnClaims(fixture.store, seat, executions, claims, endings);
    }

    @Test
    void aClaimThatNothingCarriesThroughIsOverAtTheSecondLook() throws Exception {
        try (StoreFixture fixture = new StoreFixture()) {
            FutureId lost = fixture.submit(1);
            FutureId running = fixture.submit(1);
            List<Claimed> claimed =
                    fixture.claimer(SEAT).claim(StoreFixture.room(2)).join();
            assertThat(claimed).extracting(Claimed::id).containsExactlyInAnyOrder(lost, running);
            Executions executions = executions();
            claimed.stream()
                    .filter(claim -> claim.id().equals(running))
                    .forEach(claim -> executions.add(new Execution(claim, 0)));
            OwnClaims own = ownClaims(fixture, executions);

            own.look().join();
            assertThat(fixture.record(lost).getState()).isEqualTo(State.STATE_CLAIMED);

            own.look().join();
            Awaitility.await().atMost(LIMIT).until(() -> fixture.record(lost).getState() == State.STATE_QUEUED);
            assertThat(fixture.record(lost).getNumAttempts()).isEqualTo(1);
            own.look().join();
            assertThat(fixture.record(running).getState()).isEqualTo(State.STATE_CLAIMED);
        }
    }

    @Test
    void claimsThatNothingCarriesThroughAreFoundHoweverManyAreInForce() throws Exception {
        try (StoreFixture fixture = new StoreFixture()) {
            List<Claimed> claimed = new ArrayList<>();
            while (claimed.size() < MANY) {
                for (int i = 0; i < PAGE; i++) {
                    fixture.submit(1);
                }
                claimed.addAll(
                        fixture.claimer(SEAT).claim(StoreFixture.room(PAGE)).join());
            }
            claimed.sort(Comparator.comparing(claim -> claim.id().value().toString()));
            FutureId lost = claimed.getLast().id();
            Executions executions = executions();
            claimed.subList(0, claimed.size() - 1).forEach(claim -> executions.add(new Execution(claim, 0)));
            OwnClaims own = ownClaims(fixture, executions);

            own.look().join();
            own.look().join();

            Awaitility.await().atMost(LIMIT).until(() -> fixture.record(lost).getState() == State.STATE_QUEUED);
        }
    }

    @Test
    void whatIsInDoubtIsLookedForAgainWhereTheClaimsCouldNotBeRead() throws Exception {
        CompletableFuture<Object> unread = new CompletableFuture<>();
        AtomicInteger failures = new AtomicInteger();
        try (StoreFixture fixture = new StoreFixture(real -> Proxied.of(Database.class, (method, arguments) -> {
            boolean fails = method.getName().equals("readAsync") && failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
            return fails ? unread : Proxied.pass(real, method, arguments);
        }))) {
            FutureId lost = fixture.submit(1);
            assertThat(fixture.claimer(SEAT).claim(StoreFixture.room(1)).join()).hasSize(1);
            Executions executions = executions();
            ClaimLoop claims = claims(fixture, executions);
            OwnClaims own = ownClaims(fixture, executions, claims);

            claims.doubt();
            failures.set(1);
            own.lookIfInDoubt();
            assertThat(failures).hasValue(0);
            unread.completeExceptionally(new IllegalStateException("planted: the store does not answer"));

            Awaitility.await("the claim to be over").atMost(LIMIT).until(() -> {
                own.lookIfInDoubt();
                return fixture.record(lost).getState() == State.STATE_QUEUED;
            });
        }
    }

    @Test
    void aDoubtThatComesDuringALookIsLookedAtAfterIt() throws Exception {
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        AtomicInteger held = new AtomicInteger();
        try (StoreFixture fixture = new StoreFixture(real -> Proxied.of(Database.class, (method, arguments) -> {
            Object answer = Proxied.pass(real, method, arguments);
            boolean holds = method.getName().equals("readAsync") && held.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
            return holds ? goOn.thenCombine((CompletableFuture<?>) answer, (unused, value) -> value) : answer;
        }))) {
            Executions executions = executions();
            ClaimLoop claims = claims(fixture, executions);
            OwnClaims own = ownClaims(fixture, executions, claims);
            held.set(1);
            CompletableFuture<Void> empty = own.look();
            assertThat(held).hasValue(0);
            FutureId lost = fixture.submit(1);
            assertThat(fixture.claimer(SEAT).claim(StoreFixture.room(1)).join()).hasSize(1);

            claims.doubt();
            own.lookIfInDoubt();
            goOn.complete(null);
            empty.join();

            Awaitility.await("the claim to be over").atMost(LIMIT).until(() -> {
                own.lookIfInDoubt();
                return fixture.record(lost).getState() == State.STATE_QUEUED;
            });
        }
    }

    /** As after a commit of unknown result, when something else goes wrong with its repetition. */
    @Test
    void whoWaitsIsToldOfAnOutcomeWhoseRecordingSeemsToHaveFailed() {
        AtomicInteger failures = new AtomicInteger();
        List<Function<Transaction, CompletableFuture<Object>>> broken = new ArrayList<>();
        try (StoreFixture fixture = new StoreFixture(real -> ProxiedDatabase.running(real, handler -> {
            CompletableFuture<Object> done = real.runAsync(handler);
            if (failures.get() == 0) {
                return done;
            }
            failures.decrementAndGet();
            broken.add(handler);
            return done.thenApply(lost -> {
                throw new IllegalStateException("planted: the answer is lost");
            });
        }))) {
            List<FutureId> told = new CopyOnWriteArrayList<>();
            FutureId id = fixture.submit(1);
            Claimed claimed =
                    fixture.claimer(SEAT).claim(StoreFixture.room(1)).join().getFirst();
            OutcomeCommitter outcomeCommitter = new OutcomeCommitter(
                    fixture.store,
                    new OpenSeat(SEAT),
                    fixture.recorder,
                    fixture.dependents,
                    (done, record) -> told.add(done));

            failures.set(1);
            assertThat(outcomeCommitter.record(claimed, StoreFixture.value("x")).join())
                    .isTrue();

            assertThat(broken).hasSize(1);
            assertThat(told).containsExactly(id);
        }
    }
}
