/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.execute.Executions;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.worker.ProxiedDatabase;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.membership.OpenSeat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** When a worker looks at the queue, and when it does not. */
class ClaimLoopTest {

    private static final String SEAT = "w-1";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final AtomicInteger transactions = new AtomicInteger();
    private final CompletableFuture<Void> gate = new CompletableFuture<>();
    private final List<Claimed> taken = new CopyOnWriteArrayList<>();

    /** The first is a look at the queue; the second one, which declares the worker idle, waits for the gate. */
    private CompletableFuture<Object> run(Database real, Function<Transaction, CompletableFuture<Object>> handler) {
        return transactions.incrementAndGet() == 2
                ? gate.thenCompose(unused -> real.runAsync(handler))
                : real.runAsync(handler);
    }

    @Test
    void whoDeclaresItselfIdleDoesNotLookAgainForRoomThatBecomesFreeMeanwhileAndIsWoken() {
        try (StoreFixture fixture =
                new StoreFixture(real -> ProxiedDatabase.running(real, handler -> run(real, handler)))) {
            ClaimLoop loop = new ClaimLoop(
                    fixture.environment,
                    new OpenSeat(SEAT),
                    fixture.claimer(SEAT),
                    new Executions(2, Capacity.ofThreads(2)),
                    new WorkCounters(),
                    taken::addAll,
                    () -> false);
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
}
