/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Who has found nothing to do, and is to be told when there is something.
 *
 * <p>No wake-up is lost: a worker declares itself idle in a transaction that must find nothing that fits into what it
 * has free, and whoever fills the queue must, in the same transaction, wake an idle worker that the future fits or find
 * that there is none. Of two such transactions at once, one conflicts. Where somebody is idle, only the one that is
 * woken must not have taken something else meanwhile: it is woken and finds more than it can take, and wakes the next.
 * That one needs no conflict: what it leaves waits already, so whoever declares itself idle meanwhile finds it. And
 * nobody who has found that there is none is wrong when one more becomes busy: that conflicts with nothing.
 */
public final class IdleSeats {

    /** Idle seats considered for one wake-up. */
    private static final int CANDIDATES_MAX = 1_000;

    private final FutureKeys keys;
    private final RandomGenerator random;
    private final RequirementClasses classes;

    public IdleSeats(FutureKeys keys, RandomGenerator random) {
        this.keys = keys;
        this.random = random;
        this.classes = new RequirementClasses(keys);
    }

    /**
     * Records that {@code seat} waits for work; the transaction must have found nothing that fits into {@code free},
     * with conflict.
     */
    public void declareIdle(Transaction transaction, String seat, long incarnation, Capacity free) {
        keys.idle.set(transaction, free.declared(), seat, incarnation);
    }

    /** Records that {@code seat} does not wait any more; conflicts with whoever wakes it at the same time. */
    public void declareBusy(Transaction transaction, String seat, long incarnation) {
        byte[] key = keys.idle.key(seat, incarnation);
        clear(transaction, key);
        transaction.addWriteConflictKey(chosen(key));
    }

    /** What who wakes a seat reads and who becomes busy writes: never stored, and in no range of idle seats. */
    private byte[] chosen(byte[] key) {
        return ByteArrayUtil.join(keys.idle.range().end, key);
    }

    private void clear(Transaction transaction, byte[] key) {
        transaction.options().setNextWriteNoWriteConflictRange();
        keys.idle.clearRow(transaction, key);
    }

    /** Wakes idle seats for what was queued. To be called last by every transaction that fills the queue. */
    public CompletableFuture<Void> wake(FutureTransaction futures) {
        return futures.queued().isEmpty()
                ? CompletableFuture.completedFuture(null)
                : wake(futures, look(futures.transaction()));
    }

    /** As {@link #wake(FutureTransaction)}, for who has looked already, while reading what else was needed. */
    public CompletableFuture<Void> wake(FutureTransaction futures, CompletableFuture<List<KeyValue>> seen) {
        return wake(futures, seen, Map.copyOf(futures.queued()), candidate -> true, true);
    }

    /** Who is idle. What it finds may be taken as long as this transaction wakes nobody. */
    public CompletableFuture<List<KeyValue>> look(Transaction transaction) {
        return transaction
                .snapshot()
                .getRange(keys.idle.range(), CANDIDATES_MAX, false, StreamingMode.WANT_ALL)
                .asList();
    }

    /** Wakes up to so many idle seats for each class, other than that of the worker that asks. */
    public CompletableFuture<Void> wakeOthers(FutureTransaction futures, Map<String, Integer> counts) {
        return counts.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : wake(
                        futures,
                        look(futures.transaction()),
                        counts,
                        candidate -> !futures.isHost(seatOf(candidate)),
                        false);
    }

    /** @param mustHold whether what is found must still be so at the commit: that nobody is idle, or who is woken */
    private CompletableFuture<Void> wake(
            FutureTransaction futures,
            CompletableFuture<List<KeyValue>> seen,
            Map<String, Integer> counts,
            Predicate<KeyValue> asked,
            boolean mustHold) {
        if (counts.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Transaction transaction = futures.transaction();
        Range all = keys.idle.range();
        return seen.thenCompose(found -> {
            if (found.isEmpty()) {
                if (mustHold) {
                    transaction.addReadConflictRange(all.begin, all.end);
                }
                return CompletableFuture.completedFuture(null);
            }
            List<KeyValue> idle = new ArrayList<>(found.stream().filter(asked).toList());
            List<CompletableFuture<Boolean>> classesDone = new ArrayList<>();
            counts.forEach((id, count) -> classesDone.add(classes.requirements(transaction.snapshot(), id)
                    .thenApply(required -> required.isEmpty()
                            || wakeSome(futures, idle, count, mustHold, candidate -> Capacity.of(
                                            keys.idle.decode(candidate.getValue()))
                                    .fits(required.get())))));
            return AsyncUtil.whenAll(classesDone).thenAccept(unused -> {
                if (mustHold && !classesDone.stream().allMatch(CompletableFuture::join)) {
                    transaction.addReadConflictRange(all.begin, all.end);
                }
            });
        });
    }

    /** Whether there was one at least. */
    private boolean wakeSome(
            FutureTransaction futures, List<KeyValue> idle, int count, boolean mustHold, Predicate<KeyValue> fits) {
        synchronized (idle) {
            List<KeyValue> candidates =
                    new ArrayList<>(idle.stream().filter(fits).toList());
            boolean some = !candidates.isEmpty();
            for (int i = 0; i < count && !candidates.isEmpty(); i++) {
                KeyValue chosen = choose(futures, candidates);
                candidates.remove(chosen);
                idle.remove(chosen);
                clear(futures.transaction(), chosen.getKey());
                if (mustHold) {
                    futures.transaction().addReadConflictKey(chosen(chosen.getKey()));
                }
                futures.wakeForWork(seatOf(chosen));
            }
            return some;
        }
    }

    /** The worker that fills the queue before all others: it learns of it at once. */
    private KeyValue choose(FutureTransaction futures, List<KeyValue> candidates) {
        return candidates.stream()
                .filter(candidate -> futures.isHost(seatOf(candidate)))
                .findFirst()
                .orElseGet(() -> candidates.get(random.nextInt(candidates.size())));
    }

    private String seatOf(KeyValue idle) {
        return keys.idle.elements(idle.getKey()).getString(0);
    }
}
