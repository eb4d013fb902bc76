/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.DatabaseOptions;
import com.apple.foundationdb.EventKeeper;
import com.apple.foundationdb.KeyRangeArrayResult;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Tenant;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.environment.Environment;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * FoundationDB's Java interfaces over any {@link StoreConnection}: transactions with all their rules, and the retry
 * loop. Touches no native code. Unlike fdb-java it may hand out futures that are complete already, whose callbacks then
 * run in the thread that adds them; all others complete on the environment's executor, but for commits of transactions
 * that were made with {@link #AT_ONCE}.
 */
public final class ConnectionDatabase implements Database {

    /**
     * For transactions whose callbacks never block and take short, with fdb-java as well: they may run on the thread of
     * the network.
     */
    public static final Executor AT_ONCE = Runnable::run;

    private static final int MAX_WATCHES_OPTION = 20;
    /**
     * Size of a cache of locations, names of machine and data center, configuration database, a test of FoundationDB's.
     */
    private static final Set<Integer> WITHOUT_MEANING = Set.of(10, 21, 22, 800, 900);

    private final StoreConnection connection;
    private final Environment environment;
    private final DatabaseOptions options;
    private final AtomicInteger watches = new AtomicInteger();
    private final Map<Integer, byte @Nullable []> defaults = new TreeMap<>();
    private volatile int watchesMax = Limits.WATCHES_DEFAULT;
    private volatile boolean closed;

    /** A database that owns the connection: closing one closes the other. */
    public ConnectionDatabase(StoreConnection connection, Environment environment) {
        this.connection = connection;
        this.environment = environment;
        options = new DatabaseOptions(this::setOption);
    }

    private void setOption(int code, byte @Nullable [] value) {
        if (code == MAX_WATCHES_OPTION) {
            watchesMax = (int) TransactionSettings.number(value, 0, Limits.WATCHES_MAX);
        } else if (!WITHOUT_MEANING.contains(code)) {
            int transactionCode = transactionDefault(code);
            new TransactionSettings().set(transactionCode, value);
            synchronized (defaults) {
                defaults.put(transactionCode, value);
            }
        }
    }

    /** The transaction option that a database option sets for all transactions: their codes are not the same. */
    private static int transactionDefault(int code) {
        return switch (code) {
            case 26 -> 600;
            case 27 -> 601;
            case 405, 500, 501, 502, 503, 701 -> code;
            case 504 -> 20;
            case 505 -> 23;
            case 506 -> 505;
            case 700 -> 1100;
            case 702 -> 712;
            default -> throw new EmbeddedFDBException(ErrorCode.INVALID_OPTION);
        };
    }

    Map<Integer, byte @Nullable []> defaults() {
        synchronized (defaults) {
            return new TreeMap<>(defaults);
        }
    }

    TransactionSettings newSettings() {
        TransactionSettings settings = new TransactionSettings();
        synchronized (defaults) {
            defaults.forEach(settings::set);
        }
        return settings;
    }

    /** Counts a watch until its future is done; false when there are too many. */
    boolean takeWatch(CompletableFuture<@Nullable Void> watch) {
        if (watches.incrementAndGet() > watchesMax) {
            watches.decrementAndGet();
            return false;
        }
        watch.whenComplete((nothing, error) -> watches.decrementAndGet());
        return true;
    }

    @Override
    public Transaction createTransaction(Executor executor) {
        return createTransaction(executor, null);
    }

    @Override
    public Transaction createTransaction(Executor executor, @Nullable EventKeeper eventKeeper) {
        if (closed) {
            throw new IllegalStateException("Cannot access closed object");
        }
        TransactionCore core = new TransactionCore(this, connection, environment, eventKeeper, executor == AT_ONCE);
        return new ConnectionTransaction(core, executor);
    }

    @Override
    public DatabaseOptions options() {
        return options;
    }

    @Override
    public Executor getExecutor() {
        return environment.executor();
    }

    @Override
    public double getMainThreadBusyness() {
        return 0;
    }

    @Override
    public CompletableFuture<byte[]> getClientStatus(Executor executor) {
        return connection.status();
    }

    @Override
    public <T> T run(Function<? super Transaction, T> retryable, Executor executor) {
        Transaction transaction = createTransaction(executor);
        try {
            while (true) {
                try {
                    T result = retryable.apply(transaction);
                    transaction.commit().join();
                    return result;
                } catch (RuntimeException e) {
                    transaction = transaction.onError(e).join();
                }
            }
        } finally {
            transaction.close();
        }
    }

    @Override
    public <T> T read(Function<? super ReadTransaction, T> retryable, Executor executor) {
        return run(retryable, executor);
    }

    @Override
    public <T> CompletableFuture<T> runAsync(
            Function<? super Transaction, ? extends CompletableFuture<T>> retryable, Executor executor) {
        CompletableFuture<T> result = new CompletableFuture<>();
        new RetryLoop<>(retryable, result).attempt(createTransaction(executor));
        return result;
    }

    @Override
    public <T> CompletableFuture<T> readAsync(
            Function<? super ReadTransaction, ? extends CompletableFuture<T>> retryable, Executor executor) {
        return runAsync(retryable, executor);
    }

    @Override
    public <T> T run(Function<? super Transaction, T> retryable) {
        return run(retryable, getExecutor());
    }

    @Override
    public <T> T read(Function<? super ReadTransaction, T> retryable) {
        return read(retryable, getExecutor());
    }

    @Override
    public <T> CompletableFuture<T> runAsync(Function<? super Transaction, ? extends CompletableFuture<T>> retryable) {
        return runAsync(retryable, getExecutor());
    }

    @Override
    public <T> CompletableFuture<T> readAsync(
            Function<? super ReadTransaction, ? extends CompletableFuture<T>> retryable) {
        return readAsync(retryable, getExecutor());
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            connection.close();
        }
    }

    @Override
    public Tenant openTenant(Tuple name) {
        return openTenant(name.pack(), getExecutor());
    }

    @Override
    public Tenant openTenant(byte[] name, Executor executor) {
        return new UnsupportedFeatures(name, executor);
    }

    @Override
    public Tenant openTenant(Tuple name, Executor executor) {
        return openTenant(name.pack(), executor);
    }

    @Override
    public Tenant openTenant(byte[] name, Executor executor, @Nullable EventKeeper eventKeeper) {
        return openTenant(name, executor);
    }

    @Override
    public Tenant openTenant(Tuple name, Executor executor, @Nullable EventKeeper eventKeeper) {
        return openTenant(name.pack(), executor);
    }

    @Override
    public CompletableFuture<byte[]> purgeBlobGranules(
            byte[] begin, byte[] end, long version, boolean force, Executor executor) {
        return UnsupportedFeatures.blobGranules();
    }

    @Override
    public CompletableFuture<Void> waitPurgeGranulesComplete(byte[] purgeKey, Executor executor) {
        return UnsupportedFeatures.blobGranules();
    }

    @Override
    public CompletableFuture<Boolean> blobbifyRange(byte[] begin, byte[] end, Executor executor) {
        return UnsupportedFeatures.blobGranules();
    }

    @Override
    public CompletableFuture<Boolean> blobbifyRangeBlocking(byte[] begin, byte[] end, Executor executor) {
        return UnsupportedFeatures.blobGranules();
    }

    @Override
    public CompletableFuture<Boolean> unblobbifyRange(byte[] begin, byte[] end, Executor executor) {
        return UnsupportedFeatures.blobGranules();
    }

    @Override
    public CompletableFuture<KeyRangeArrayResult> listBlobbifiedRanges(
            byte[] begin, byte[] end, int limit, Executor executor) {
        return UnsupportedFeatures.blobGranules();
    }

    @Override
    public CompletableFuture<Long> verifyBlobRange(byte[] begin, byte[] end, long version, Executor executor) {
        return UnsupportedFeatures.blobGranules();
    }

    @Override
    public CompletableFuture<Boolean> flushBlobRange(
            byte[] begin, byte[] end, boolean compact, long version, Executor executor) {
        return UnsupportedFeatures.blobGranules();
    }
}
