/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions over the futures of one cluster. Each handler is called again from the start after a conflict or an
 * unknown outcome of its commit, so it must find its own former effect and leave it as it is. Safe for use by several
 * threads.
 */
public final class FutureStore {

    /** Ranges that queue keys are spread over at first. */
    public static final int SHARDS_MIN = 256;

    /** How long a future is kept after its end where neither its submitter nor the cluster says otherwise: a day. */
    public static final long RETENTION_MILLIS = 86_400_000;

    private final Database database;
    private final FutureKeys keys;
    private final Environment environment;
    private final Transitions transitions = new Transitions();
    private volatile int shards = SHARDS_MIN;
    private volatile long retentionMillis = RETENTION_MILLIS;
    private volatile LongConsumer delayed = due -> {};
    private volatile Runnable dependentsLeft = () -> {};
    private volatile Predicate<String> passedOver = seat -> false;
    private volatile Host host = new Host("", () -> false, () -> {});

    /** The worker that uses this store, if one does. */
    private record Host(String seat, BooleanSupplier takes, Runnable awake) {
        /** Its seat while it takes work, else nothing. */
        String seatAtWork() {
            return takes.getAsBoolean() ? seat : "";
        }
    }

    public FutureStore(Database database, FutureKeys keys, Environment environment) {
        this.database = database;
        this.keys = keys;
        this.environment = environment;
    }

    public FutureKeys keys() {
        return keys;
    }

    /** What transactions of this store have done. */
    public Transitions transitions() {
        return transitions;
    }

    public Environment environment() {
        return environment;
    }

    /** Runs {@code handler} until it is committed; its last result. */
    public <T> CompletableFuture<T> run(Function<FutureTransaction, CompletableFuture<T>> handler) {
        AtomicReference<@Nullable FutureTransaction> latest = new AtomicReference<>();
        // Of all tries: the last one may only find what a former one, whose outcome was unknown, has done.
        AtomicBoolean hostIsWoken = new AtomicBoolean();
        AtomicBoolean leavesDependents = new AtomicBoolean();
        CompletableFuture<T> committed = plain(transaction -> {
            FutureTransaction futures = new FutureTransaction(
                    transaction, keys, environment, shards, retentionMillis, host.seatAtWork(), passedOver);
            latest.set(futures);
            return handler.apply(futures).thenApply(result -> {
                futures.finish();
                hostIsWoken.compareAndSet(false, futures.hostIsWoken());
                leavesDependents.compareAndSet(false, futures.leavesDependents());
                return result;
            });
        });
        return committed.whenComplete((result, failure) -> {
            FutureTransaction last = latest.get();
            if (failure == null && last != null) {
                committed(last);
            }
            if (leavesDependents.get()) {
                GuardedCallbacks.run("releasing further dependents", dependentsLeft);
            }
            if (hostIsWoken.get()) {
                GuardedCallbacks.run("waking this worker", host.awake());
            }
        });
    }

    /**
     * Runs a handler that reads nothing, at a version that {@code fence} gives to the transaction, and tries once to
     * commit it: one way to the store and back.
     *
     * @param fence false where there is no such version
     * @param atOnce whether what follows a success never blocks and takes short: then the thread of the network tells
     *     it
     * @return nothing where that did not succeed, or nobody knows whether it did: {@link #run} then finds out
     */
    public <T> CompletableFuture<Optional<T>> runOnce(
            Predicate<Transaction> fence, boolean atOnce, Function<FutureTransaction, CompletableFuture<T>> handler) {
        AtomicReference<@Nullable FutureTransaction> latest = new AtomicReference<>();
        Function<Transaction, CompletableFuture<Optional<T>>> attempt = transaction -> {
            latest.set(null);
            if (!fence.test(transaction)) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            transaction.options().setRetryLimit(0);
            FutureTransaction futures =
                    new FutureTransaction(transaction, keys, environment, shards, retentionMillis, "", passedOver);
            latest.set(futures);
            return handler.apply(futures).thenApply(result -> {
                futures.finish();
                return Optional.of(result);
            });
        };
        CompletableFuture<Optional<T>> committed = atOnce
                ? GuardedCallbacks.begin(() ->
                        database.runAsync(transaction -> applied(attempt, transaction), ConnectionDatabase.AT_ONCE))
                : plain(attempt);
        return committed.handle((result, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof FDBException) {
                return Optional.empty();
            }
            if (failure != null) {
                throw new CompletionException(cause);
            }
            Optional.ofNullable(latest.get()).ifPresent(this::committed);
            return result;
        });
    }

    /** What it throws must not make a commit look like a failure. */
    private void committed(FutureTransaction done) {
        GuardedCallbacks.run("following a commit", () -> {
            transitions.add(done.steps());
            long due = done.earliestDueMillis();
            if (due != Long.MAX_VALUE) {
                delayed.accept(due);
            }
        });
    }

    /** Fails with whatever is thrown, at once or on a later try. */
    private <T> CompletableFuture<T> plain(Function<Transaction, CompletableFuture<T>> handler) {
        return GuardedCallbacks.begin(() -> database.runAsync(transaction -> applied(handler, transaction)));
    }

    private static <A, T> CompletableFuture<T> applied(Function<A, CompletableFuture<T>> handler, A to) {
        return GuardedCallbacks.begin(() -> handler.apply(to));
    }

    /**
     * Spreads queue keys over so many ranges from now on. Readers scan all of them, so the number may change freely.
     */
    public void spreadOver(int newShards) {
        shards = newShards;
    }

    /** Keeps futures whose submitters say nothing for so long after their ends from now on. */
    public void retainFor(long millis) {
        retentionMillis = millis;
    }

    /** Over how many ranges queue keys are spread. */
    public int shards() {
        return shards;
    }

    /** Tells {@code listener} of the wall clock at which something that was delayed here is due. */
    public void onDelayed(LongConsumer listener) {
        delayed = listener;
    }

    /** Tells, after a transaction, that it may have left dependents of what is done to further ones. */
    public void onDependentsLeft(Runnable listener) {
        dependentsLeft = listener;
    }

    /** Says which seats take nothing, as far as is known here: what may run elsewhere is not left to these any more. */
    public void passOver(Predicate<String> seats) {
        passedOver = seats;
    }

    /**
     * Says that a worker uses this store. While it {@code takes} work, what its transactions queue goes to itself first
     * where it is idle, and {@code awake} is called after the commit, which takes no way through the store.
     */
    public void usedBy(String seat, BooleanSupplier takes, Runnable awake) {
        host = new Host(seat, takes, awake);
    }

    /** Runs {@code handler} once, inside of the caller's transaction, who commits it. */
    public <T> CompletableFuture<T> within(
            Transaction transaction, Function<FutureTransaction, CompletableFuture<T>> handler) {
        FutureTransaction futures =
                new FutureTransaction(transaction, keys, environment, shards, retentionMillis, "", passedOver);
        return handler.apply(futures).thenApply(result -> {
            futures.finish();
            return result;
        });
    }

    /** Runs a handler that touches no record of a future until it is committed. */
    public <T> CompletableFuture<T> runPlain(Function<Transaction, CompletableFuture<T>> handler) {
        return plain(handler);
    }

    /** Reads at one version. */
    public <T> CompletableFuture<T> read(Function<ReadTransaction, CompletableFuture<T>> handler) {
        return GuardedCallbacks.begin(
                () -> database.readAsync(transaction -> applied(handler, transaction.snapshot())));
    }
}
