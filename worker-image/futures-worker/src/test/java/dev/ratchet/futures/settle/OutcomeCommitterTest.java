/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.Effects;
import dev.ratchet.futures.worker.ProxiedDatabase;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Which outcomes wait for which on their way to the store. */
class OutcomeCommitterTest {

    private static final String SEAT = "w-1";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int WITH_EFFECTS = 40;

    private final CompletableFuture<Void> gate = new CompletableFuture<>();
    private final AtomicInteger begun = new AtomicInteger();
    private boolean gated;

    private CompletableFuture<Object> run(Database real, Function<Transaction, CompletableFuture<Object>> handler) {
        if (!gated) {
            return real.runAsync(handler);
        }
        begun.incrementAndGet();
        return gate.thenCompose(unused -> real.runAsync(handler));
    }

    private static Outcome storing(int number) {
        byte[] key = {1, (byte) number};
        return new Outcome.Realized(
                Result.getDefaultInstance(),
                new Effects(List.of(), List.of(new Effects.Entry(key, key))),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void whatStoresSomethingIsRecordedBesideItsLikeAndNothingElseWaitsForIt() {
        try (StoreFixture fixture =
                new StoreFixture(real -> ProxiedDatabase.running(real, handler -> run(real, handler)))) {
            for (int i = 0; i < WITH_EFFECTS + 2; i++) {
                fixture.submit(1);
            }
            List<Claimed> claims = fixture.claimer(SEAT)
                    .claim(StoreFixture.room(WITH_EFFECTS + 2))
                    .join();
            assertThat(claims).hasSize(WITH_EFFECTS + 2);
            OutcomeCommitter outcomeCommitter = fixture.outcomeCommitter(SEAT);

            gated = true;
            List<CompletableFuture<Boolean>> recorded = new ArrayList<>();
            for (int i = 0; i < WITH_EFFECTS; i++) {
                recorded.add(outcomeCommitter.record(claims.get(i), storing(i)));
            }
            recorded.add(outcomeCommitter.record(claims.get(WITH_EFFECTS), new Outcome.GivenBack()));
            recorded.add(outcomeCommitter.record(claims.get(WITH_EFFECTS + 1), StoreFixture.value("x")));

            assertThat(begun).as("16 that store something, and one more").hasValue(17);
            assertThat(outcomeCommitter.waiting()).isEqualTo(WITH_EFFECTS + 2 - 17);
            gate.complete(null);
            assertThat(recorded).allMatch(CompletableFuture::join);
            assertThat(begun)
                    .as("each that stores by itself, the others in turn")
                    .hasValue(WITH_EFFECTS + 2);
            assertThat(outcomeCommitter.waiting()).isZero();
            claims.subList(0, WITH_EFFECTS)
                    .forEach(claim ->
                            assertThat(fixture.record(claim.id()).getState()).isEqualTo(State.STATE_REALIZED));
            assertThat(fixture.record(claims.get(WITH_EFFECTS).id()).getState()).isEqualTo(State.STATE_QUEUED);
        }
    }

    @Test
    void anOutcomeOfAFutureThatIsGoneCountsForNothing() {
        try (StoreFixture fixture = new StoreFixture()) {
            FutureId id = fixture.submit(1);
            Claimed claim =
                    fixture.claimer(SEAT).claim(StoreFixture.room(1)).join().getFirst();
            byte[] record = fixture.store.keys().records.key(id.value());
            fixture.store
                    .runPlain(transaction -> {
                        transaction.clear(record);
                        return CompletableFuture.<Void>completedFuture(null);
                    })
                    .join();

            OutcomeCommitter outcomeCommitter = fixture.outcomeCommitter(SEAT);

            assertThat(outcomeCommitter.record(claim, StoreFixture.value("late")))
                    .succeedsWithin(LIMIT)
                    .isEqualTo(false);
            assertThat(outcomeCommitter.record(claim, storing(1)))
                    .succeedsWithin(LIMIT)
                    .isEqualTo(false);
        }
    }
}
