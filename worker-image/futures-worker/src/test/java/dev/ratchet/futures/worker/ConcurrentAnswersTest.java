/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What follows from the reads of one transaction happens on whichever threads bring their answers, at once. */
class ConcurrentAnswersTest extends CollectionFixture {

    private static final int ROUNDS = 10;
    private static final int MOVES = 100;

    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private final FutureStore inOrder = store;

    @BeforeEach
    void answerOnManyThreads() {
        store = new FutureStore(
                ProxiedDatabase.running(
                        database,
                        handler -> database.runAsync(transaction ->
                                handler.apply(ProxiedDatabase.answering(Transaction.class, transaction, this::soon)))),
                keys,
                environment);
    }

    /** Before all is checked. */
    @AfterEach
    void answerInOrder() {
        store = inOrder;
        threads.shutdown();
    }

    private CompletableFuture<Void> soon() {
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, threads));
    }

    @Test
    void aBlockGoesWithTheLastOfThoseThatHaveLeftIt() {
        for (int round = 0; round < ROUNDS; round++) {
            List<FutureId> ids = submitBlock(250, 0, ByteString.EMPTY);
            finish(true);

            delete(ids.toArray(FutureId[]::new));

            assertThat(record(BlockIds.blockOf(ids.getFirst()))).isEmpty();
        }
    }

    @Test
    void eachOfManyFuturesThatAreMovedAtOnceIsQueuedAndCounted() {
        List<FutureId> ids = submitBlock(250, 0, ByteString.EMPTY);

        int queued = store.run(futures -> futures.loadAll(ids)
                        .thenCompose(loaded -> CompletableFuture.allOf(loaded.stream()
                                .map(future -> CompletableFuture.runAsync(() -> move(futures, future), threads))
                                .toArray(CompletableFuture[]::new)))
                        .thenApply(unused -> futures.queued().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum()))
                .join();

        assertThat(queued).isEqualTo(MOVES * ids.size());
    }

    private static void move(FutureTransaction futures, LoadedFuture future) {
        for (int time = 0; time < MOVES; time++) {
            futures.ready(future, Event.MOVE);
        }
    }
}
