/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one watch of this worker: sleeps on its key, empties its mailbox whenever the key was raised, and tells the work
 * loop to look at the queue. Finding the mailbox empty and arming the watch happen at one version, so nothing is
 * missed. A transaction that takes mail arms none: a watch is a read of the key, which whoever sends the next mail has
 * changed.
 */
public final class Mailbox {

    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);
    private static final int MAIL_PER_TRANSACTION = 200;
    private static final long RETRY_MILLIS = 500;

    /** What a future is that was done, and deleted before this worker has looked. */
    private static final FutureRecord DELETED =
            FutureRecord.newBuilder().setState(State.STATE_DELETED).build();

    private final FutureStore store;
    private final Seat seat;
    private final OutcomeListener listener;
    private final Runnable awake;
    private volatile boolean stopped;
    private volatile CompletableFuture<Void> watch = new CompletableFuture<>();

    /** What one transaction has found; where that is nothing the watch is armed for the time after it. */
    private record Mail(Map<FutureId, FutureRecord> futures, Optional<CompletableFuture<Void>> watch) {}

    /**
     * @param listener is told of each future in the mailbox, with its present record
     * @param awake is called after each look
     */
    public Mailbox(FutureStore store, Seat seat, OutcomeListener listener, Runnable awake) {
        this.store = store;
        this.seat = seat;
        this.listener = listener;
        this.awake = awake;
    }

    /** Forgets what was meant for a former incarnation. */
    public CompletableFuture<Void> clear() {
        return store.runPlain(transaction -> seat.fence(transaction)
                .thenAccept(unused -> store.keys().mailbox.clearAll(transaction, seat.name())));
    }

    /** Looks for the first time, and again whenever woken, until {@link #stop()}. */
    public void start() {
        look();
    }

    public void stop() {
        stopped = true;
        watch.cancel(false);
    }

    private void look() {
        look(new LinkedHashSet<>());
    }

    /** @param seen what failed looks have found: one of them may have emptied the mailbox without our knowing */
    private void look(Set<FutureId> seen) {
        if (stopped) {
            return;
        }
        store.runPlain(transaction -> read(transaction, seen))
                .whenCompleteAsync(
                        (mail, failure) -> {
                            if (failure != null) {
                                retry(failure, seen);
                                return;
                            }
                            GuardedCallbacks.each(
                                    "telling of a future in the mailbox",
                                    mail.futures().entrySet(),
                                    one -> listener.done(one.getKey(), one.getValue()));
                            GuardedCallbacks.run("looking for work", awake);
                            mail.watch().ifPresentOrElse(this::sleep, this::look);
                        },
                        store.environment().executor());
    }

    private void sleep(CompletableFuture<Void> armed) {
        watch = armed;
        armed.whenCompleteAsync(
                (unused, failure) -> {
                    if (failure != null && !stopped) {
                        retry(failure, new LinkedHashSet<>());
                    } else {
                        look();
                    }
                },
                store.environment().executor());
    }

    private void retry(Throwable failure, Set<FutureId> seen) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof SeatLostException) {
            return;
        }
        LOG.warn("the mailbox can not be read, trying again seat={} delayMillis={}", seat.name(), RETRY_MILLIS, cause);
        var unused = store.environment().schedule(RETRY_MILLIS, () -> look(seen));
    }

    private CompletableFuture<Mail> read(Transaction transaction, Set<FutureId> seen) {
        FutureKeys keys = store.keys();
        return seat.fence(transaction)
                .thenCompose(unused -> transaction
                        .snapshot()
                        .getRange(keys.mailbox.range(seat.name()), MAIL_PER_TRANSACTION, false, StreamingMode.WANT_ALL)
                        .asList())
                .thenCompose(found -> {
                    List<byte[]> taken = new ArrayList<>();
                    for (KeyValue pair : found) {
                        seen.add(new FutureId(
                                keys.mailbox.elements(pair.getKey()).getUUID(1)));
                        taken.add(pair.getKey());
                    }
                    Map<FutureId, CompletableFuture<Optional<FutureRecord>>> reads = new LinkedHashMap<>();
                    seen.forEach(id -> reads.put(id, keys.record(transaction.snapshot(), id)));
                    return AsyncUtil.whenAll(reads.values()).thenApply(unused -> take(transaction, reads, taken));
                });
    }

    private Mail take(
            Transaction transaction,
            Map<FutureId, CompletableFuture<Optional<FutureRecord>>> reads,
            List<byte[]> taken) {
        for (byte[] key : taken) {
            transaction.addReadConflictKey(key);
            store.keys().mailbox.clearRow(transaction, key);
        }
        Map<FutureId, FutureRecord> futures = new LinkedHashMap<>();
        reads.forEach((id, read) -> futures.put(id, read.join().orElse(DELETED)));
        return new Mail(futures, taken.isEmpty() ? Optional.of(watch(transaction)) : Optional.empty());
    }

    private CompletableFuture<Void> watch(Transaction transaction) {
        return transaction.watch(store.keys().wake.key(seat.name()));
    }
}
