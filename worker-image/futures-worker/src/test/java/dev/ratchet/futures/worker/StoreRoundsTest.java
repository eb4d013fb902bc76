/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.submit.TransactionalFutures;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** How often a step waits for the store before it commits: that is what it takes where the store is far. */
class StoreRoundsTest {

    private static final String SEAT = "w-1";
    private static final int ROUNDS_MAX = 10;
    private static final int QUEUED = 40;

    /** Reads that are asked for before the next round are answered in it. */
    private CompletableFuture<Void> round = CompletableFuture.completedFuture(null);

    /** Runs a transaction on the thread of the caller, as long as nothing is to be waited for. */
    private CompletableFuture<Object> run(Database real, Function<Transaction, CompletableFuture<Object>> handler) {
        Transaction transaction = real.createTransaction();
        return handler.apply(ProxiedDatabase.answering(Transaction.class, transaction, () -> round))
                .thenCompose(result -> transaction.commit().thenApply(unused -> result))
                .whenComplete((result, failure) -> transaction.close());
    }

    private int roundsOf(CompletableFuture<?> submitted) {
        int rounds = 0;
        while (round.getNumberOfDependents() > 0 && rounds < ROUNDS_MAX) {
            CompletableFuture<Void> answered = round;
            round = new CompletableFuture<>();
            answered.complete(null);
            rounds++;
        }
        round.complete(null);
        submitted.join();
        return rounds;
    }

    @Test
    void aSubmitAsksAtOnceWhetherItsFutureIsKnownAndWhoIsIdle() {
        try (StoreFixture fixture =
                new StoreFixture(real -> ProxiedDatabase.running(real, handler -> run(real, handler)))) {
            assertThat(fixture.claimer(SEAT).becomeIdle(StoreFixture.room(1)).join())
                    .isTrue();
            assertThat(idleSeats(fixture)).isEqualTo(1);
            FutureId id = FutureId.random();
            SubmitRequest request = SubmitRequest.newBuilder()
                    .addFutures(StoreFixture.submitted(id, SubmitOptions.ofJob(StoreFixture.JOB)))
                    .build();

            round = new CompletableFuture<>();
            CompletableFuture<?> submitted = fixture.submission.submit(request, Optional.empty());

            assertThat(roundsOf(submitted)).isEqualTo(1);
            assertThat(idleSeats(fixture)).isZero();
            assertThat(fixture.record(id).getJob()).isEqualTo(StoreFixture.JOB);
        }
    }

    @Test
    void aSubmitInsideOfATransactionAsksForItsJarsAndAllElseAtOnce() {
        try (SystemEnvironment environment = new SystemEnvironment()) {
            Keyspace keyspace = new Keyspace("test/rounds");
            FutureKeys keys = new FutureKeys(keyspace);
            Database database = new EmbeddedDatabaseSupplier(environment).get();
            byte[] jar = new byte[32];
            database.run(transaction -> {
                transaction.set(
                        keys.artifacts.key((Object) jar), keys.artifacts.encode(ArtifactRecord.getDefaultInstance()));
                return jar;
            });
            TransactionalFutures futures = new TransactionalFutures(database, keyspace, environment);
            try (Transaction transaction = database.createTransaction()) {
                round = new CompletableFuture<>();
                CompletableFuture<Void> submitted = futures.submit(
                        ProxiedDatabase.answering(Transaction.class, transaction, () -> round),
                        FutureId.random(),
                        SubmitOptions.ofJob(StoreFixture.JOB),
                        List.of(jar),
                        new NamedTask("java.lang.System", "getenv", "NONE"));

                assertThat(roundsOf(submitted)).isEqualTo(1);
            }
        }
    }

    @Test
    void aSubmitInsideOfATransactionWithoutItsJarIsRefusedAndWritesNoFuture() {
        try (SystemEnvironment environment = new SystemEnvironment()) {
            Keyspace keyspace = new Keyspace("test/rounds");
            FutureKeys keys = new FutureKeys(keyspace);
            Database database = new EmbeddedDatabaseSupplier(environment).get();
            TransactionalFutures futures = new TransactionalFutures(database, keyspace, environment);
            try (Transaction transaction = database.createTransaction()) {
                FutureId id = FutureId.random();
                CompletableFuture<Void> submitted = futures.submit(
                        transaction,
                        id,
                        SubmitOptions.ofJob(StoreFixture.JOB),
                        List.of(new byte[32]),
                        new NamedTask("java.lang.System", "getenv", "NONE"));

                assertThatThrownBy(submitted::join).hasMessageContaining("The cluster has no artifact 0x00");
                assertThat(keys.record(transaction, id).join()).isEmpty();
            }
        }
    }

    @Test
    void aClaimAsksTwiceAndAnEndOnce() {
        try (StoreFixture fixture =
                new StoreFixture(real -> ProxiedDatabase.running(real, handler -> run(real, handler)))) {
            FutureId id = fixture.submit(1);

            round = new CompletableFuture<>();
            CompletableFuture<List<Claimed>> claim = fixture.claimer(SEAT).claim(StoreFixture.room(2));

            assertThat(roundsOf(claim)).as("what waits, and its record").isEqualTo(2);
            assertThat(claim.join()).extracting(Claimed::id).containsExactly(id);

            round = new CompletableFuture<>();
            CompletableFuture<Boolean> end =
                    fixture.outcomeCommitter(SEAT).record(claim.join().getFirst(), StoreFixture.value("x"));

            assertThat(roundsOf(end)).as("the record, and who waits for it").isEqualTo(1);
            assertThat(fixture.record(id).getState()).isEqualTo(State.STATE_REALIZED);
        }
    }

    @Test
    void whatMoreWaitsThanOneReadTellsIsClaimedInTurn() {
        try (StoreFixture fixture = new StoreFixture()) {
            Claimer claimer = fixture.claimer(SEAT);
            for (String tenant : List.of("one", "two", "three")) {
                for (int i = 0; i < QUEUED; i++) {
                    var unused =
                            fixture.submit(SubmitOptions.ofJob(StoreFixture.JOB).withTenant(tenant));
                }
            }

            Set<FutureId> claimed = new HashSet<>();
            for (int i = 0; i < QUEUED; i++) {
                List<Claimed> claims = claimer.claim(StoreFixture.room(3)).join();
                assertThat(claims)
                        .extracting(claim -> claim.record().getPartition().getTenant())
                        .containsExactlyInAnyOrder("one", "two", "three");
                claims.forEach(claim -> claimed.add(claim.id()));
            }

            assertThat(claimed).hasSize(3 * QUEUED);
            assertThat(claimer.claim(StoreFixture.room(3)).join()).isEmpty();
        }
    }

    private static int idleSeats(StoreFixture fixture) {
        return fixture.store
                .read(transaction ->
                        transaction.getRange(fixture.store.keys().idle.range()).asList())
                .join()
                .size();
    }
}
