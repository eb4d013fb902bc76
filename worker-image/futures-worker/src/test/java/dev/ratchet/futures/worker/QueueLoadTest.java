/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.queue.Shards;
import dev.ratchet.futures.queue.WorkQueue.Slice;
import dev.ratchet.futures.settle.Claimed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a claim costs does not depend on what waits, nor on how many others claim. */
class QueueLoadTest {

    private static final SubmitOptions OPTIONS = SubmitOptions.ofJob(StoreFixture.JOB);
    private static final int CLAIMERS = 64;
    private static final Set<String> READS = Set.of("get", "getRange");

    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger attempts = new AtomicInteger();

    @Test
    void aClaimReadsAsMuchFromALongQueueAsFromAShortOne() {
        try (StoreFixture steps = new StoreFixture(this::counting)) {
            fill(steps, 50);
            int few = readsOfAClaim(steps);
            fill(steps, 5_000);

            int many = readsOfAClaim(steps);

            assertThat(many).isLessThanOrEqualTo(few + 1);
        }
    }

    @Test
    void sixtyFourClaimersHardlyEverMeet() {
        try (StoreFixture steps = new StoreFixture(this::counting)) {
            steps.store
                    .runPlain(transaction -> new Shards(steps.store.keys()).adapt(transaction, CLAIMERS))
                    .thenAccept(steps.store::spreadOver);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> steps.store.shards() >= 16 * CLAIMERS);
            fill(steps, 10_000);
            List<Claimer> claimers = new ArrayList<>();
            for (int i = 0; i < CLAIMERS; i++) {
                claimers.add(steps.claimer("w-" + i, new Slice(i, i + 1, CLAIMERS)));
            }
            attempts.set(0);
            int claims = 0;
            int found = 0;
            for (int round = 0; round < 16; round++) {
                List<CompletableFuture<List<Claimed>>> together = claimers.stream()
                        .map(claimer -> claimer.claim(StoreFixture.room(4)))
                        .toList();
                claims += together.size();
                for (CompletableFuture<List<Claimed>> claim : together) {
                    found += claim.join().size();
                }
            }

            assertThat(found).isEqualTo(4 * claims);
            assertThat(attempts.get() - claims).as("transactions tried again").isLessThan(claims / 100 + 1);
        }
    }

    private int readsOfAClaim(StoreFixture steps) {
        Claimer claimer = steps.claimer("w-0");
        reads.set(0);
        assertThat(claimer.claim(StoreFixture.room(10)).join()).hasSize(10);
        return reads.get();
    }

    private static void fill(StoreFixture steps, int count) {
        List<dev.ratchet.protocol.client.v1.SubmittedFuture> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            futures.add(StoreFixture.submitted(dev.ratchet.client.FutureId.random(), OPTIONS));
            if (futures.size() == 500 || i == count - 1) {
                var unused = steps.submission
                        .submit(
                                dev.ratchet.protocol.client.v1.SubmitRequest.newBuilder()
                                        .addAllFutures(futures)
                                        .build(),
                                java.util.Optional.empty())
                        .join();
                futures.clear();
            }
        }
    }

    /** Counts the reads of transactions, and how often one is begun. */
    private Database counting(Database real) {
        return ProxiedDatabase.running(
                real,
                handler -> real.runAsync(transaction -> {
                    attempts.incrementAndGet();
                    return handler.apply(ProxiedDatabase.telling(
                            Transaction.class, transaction, method -> reads.addAndGet(READS.contains(method) ? 1 : 0)));
                }));
    }
}
