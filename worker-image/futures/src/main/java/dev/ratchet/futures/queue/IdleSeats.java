/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Who has found the queue empty, and is to be told when it is not.
 *
 * <p>No wake-up is lost: a worker declares itself idle in a transaction that must find the queue empty, and whoever
 * fills the queue must, in the same transaction, wake an idle worker or find that there is none. Of two such
 * transactions at once, one conflicts. Where somebody is idle, reading it needs no conflict: one worker that is woken
 * and finds more than it can take wakes the next.
 */
public final class IdleSeats {

    /** Idle seats considered for one wake-up. */
    private static final int CANDIDATES_MAX = 16;

    private final FutureKeys keys;
    private final RandomGenerator random;

    public IdleSeats(FutureKeys keys, RandomGenerator random) {
        this.keys = keys;
        this.random = random;
    }

    /** Records that {@code seat} waits for work; the transaction must have found the queue empty, with conflict. */
    public void declareIdle(Transaction transaction, String seat, long incarnation) {
        transaction.set(keys.idle.key(seat), keys.idle.encode(incarnation));
    }

    /** Records that {@code seat} does not wait any more. */
    public void declareBusy(Transaction transaction, String seat) {
        transaction.clear(keys.idle.key(seat));
    }

    /** Wakes up to {@code futures} idle seats. To be called last by every transaction that fills the queue. */
    public CompletableFuture<Void> wake(FutureTransaction futures, int count) {
        if (count <= 0) {
            return CompletableFuture.completedFuture(null);
        }
        Transaction transaction = futures.transaction();
        Range all = keys.idle.range();
        return transaction
                .snapshot()
                .getRange(all, CANDIDATES_MAX, false, StreamingMode.WANT_ALL)
                .asList()
                .thenAccept(found -> {
                    if (found.isEmpty()) {
                        transaction.addReadConflictRange(all.begin, all.end);
                    }
                    List<KeyValue> candidates = new ArrayList<>(found);
                    for (int i = 0; i < count && !candidates.isEmpty(); i++) {
                        KeyValue chosen = candidates.remove(random.nextInt(candidates.size()));
                        transaction.clear(chosen.getKey());
                        futures.wake(keys.idle.elements(chosen.getKey()).getString(0));
                    }
                });
    }
}
