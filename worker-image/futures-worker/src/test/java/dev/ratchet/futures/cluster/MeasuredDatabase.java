/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncIterable;
import com.apple.foundationdb.async.AsyncIterator;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Measures the transactions of a database, and keeps the most that any of a kind has done. */
final class MeasuredDatabase {

    private static final Set<String> WRITES = Set.of("set", "clear", "mutate", "addWriteConflictKey");

    private final Map<String, Figures> kinds = new ConcurrentSkipListMap<>();

    /**
     * What the largest transaction of a kind has done.
     *
     * @param bytes as the store counts them against its limit: mutations and conflict ranges
     * @param rows how many keys were read, of ranges too
     * @param readBytes keys and values that were read
     * @param conflicts ranges of reads and writes that conflict with others
     * @param valueBytes the longest value that was written
     * @param keyBytes the longest key that was read or written
     */
    record Figures(long bytes, long rows, long readBytes, long conflicts, long valueBytes, long keyBytes) {
        static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0);

        Figures most(Figures other) {
            return new Figures(
                    Math.max(bytes, other.bytes),
                    Math.max(rows, other.rows),
                    Math.max(readBytes, other.readBytes),
                    Math.max(conflicts, other.conflicts),
                    Math.max(valueBytes, other.valueBytes),
                    Math.max(keyBytes, other.keyBytes));
        }
    }

    /** One try of a transaction. */
    private static final class Try {
        final AtomicLong rows = new AtomicLong();
        final AtomicLong readBytes = new AtomicLong();
        final AtomicLong conflicts = new AtomicLong();
        final AtomicLong valueBytes = new AtomicLong();
        final AtomicLong keyBytes = new AtomicLong();

        Figures figures(long bytes) {
            return new Figures(bytes, rows.get(), readBytes.get(), conflicts.get(), valueBytes.get(), keyBytes.get());
        }

        void read(byte[] key, byte @Nullable [] value) {
            rows.incrementAndGet();
            readBytes.addAndGet(key.length + (value == null ? 0 : value.length));
            keyBytes.accumulateAndGet(key.length, Math::max);
        }
    }

    /** By kind, which is the class and method that runs the transaction. */
    Map<String, Figures> kinds() {
        return new TreeMap<>(kinds);
    }

    UnaryOperator<Database> wrapper() {
        return real -> proxy(Database.class, (method, arguments) -> {
            boolean runs = method.getName().equals("runAsync");
            if (!runs && !method.getName().equals("readAsync")) {
                return call(real, method, arguments);
            }
            String kind = caller();
            Object[] others = arguments.clone();
            others[0] = runs ? measuring(kind, arguments[0]) : measuringReads(kind, arguments[0]);
            return call(real, method, others);
        });
    }

    @SuppressWarnings("unchecked") // by the signature of runAsync
    private Function<Transaction, CompletableFuture<Object>> measuring(String kind, Object handler) {
        return transaction -> {
            Try measured = new Try();
            return ((Function<Transaction, CompletableFuture<Object>>) handler)
                    .apply(measure(Transaction.class, transaction, measured, true))
                    .thenCompose(result -> transaction.getApproximateSize().handle((bytes, failure) -> {
                        long counted = bytes == null ? 0 : bytes;
                        kinds.merge(kind, measured.figures(counted), Figures::most);
                        return result;
                    }));
        };
    }

    @SuppressWarnings("unchecked") // by the signature of readAsync
    private Function<ReadTransaction, CompletableFuture<Object>> measuringReads(String kind, Object handler) {
        return transaction -> {
            Try measured = new Try();
            return ((Function<ReadTransaction, CompletableFuture<Object>>) handler)
                    .apply(measure(ReadTransaction.class, transaction, measured, true))
                    .whenComplete((result, failure) -> kinds.merge(kind, measured.figures(0), Figures::most));
        };
    }

    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> frame.getClassName().startsWith("dev.ratchet.")
                                && !frame.getClassName().startsWith("dev.ratchet.store.")
                                && !frame.getClassName().startsWith("dev.ratchet.environment.")
                                && !frame.getClassName().endsWith(".FutureStore")
                                && !frame.getClassName().contains(".MeasuredDatabase"))
                        .map(frame -> frame.getClassName().replaceAll(".*\\.", "") + "."
                                + frame.getMethodName().replaceAll("lambda\\$(.*)\\$\\d+", "$1"))
                        .findFirst()
                        .orElse("unknown"));
    }

    private static <T extends ReadTransaction> T measure(
            Class<T> type, T transaction, Try measured, boolean conflicting) {
        return proxy(type, (method, arguments) -> {
            String name = method.getName();
            if (name.equals("snapshot")) {
                return measure(ReadTransaction.class, transaction.snapshot(), measured, false);
            }
            if (WRITES.contains(name) || name.startsWith("add")) {
                written(measured, arguments);
            }
            Object result = call(transaction, method, arguments);
            if (conflicting && (name.equals("get") || name.equals("getKey") || name.equals("getRange"))) {
                measured.conflicts.incrementAndGet();
            }
            return switch (name) {
                case "get" ->
                    ((CompletableFuture<?>) result).thenApply(value -> {
                        measured.read((byte[]) arguments[0], (byte[]) value);
                        return value;
                    });
                case "getRange" -> rows((AsyncIterable<?>) result, measured);
                default -> result;
            };
        });
    }

    private static void written(Try measured, Object[] arguments) {
        measured.conflicts.incrementAndGet();
        List<byte[]> parts = Arrays.stream(arguments)
                .filter(byte[].class::isInstance)
                .map(byte[].class::cast)
                .toList();
        if (!parts.isEmpty()) {
            measured.keyBytes.accumulateAndGet(parts.getFirst().length, Math::max);
            measured.valueBytes.accumulateAndGet(parts.getLast().length, Math::max);
        }
    }

    private static AsyncIterable<KeyValue> rows(AsyncIterable<?> real, Try measured) {
        @SuppressWarnings("unchecked") // by the signature of getRange
        AsyncIterable<KeyValue> rows = (AsyncIterable<KeyValue>) real;
        return new AsyncIterable<>() {
            @Override
            public AsyncIterator<KeyValue> iterator() {
                AsyncIterator<KeyValue> iterator = rows.iterator();
                return proxy(AsyncIterator.class, (method, arguments) -> {
                    Object result = call(iterator, method, arguments);
                    if (result instanceof KeyValue row) {
                        measured.read(row.getKey(), row.getValue());
                    }
                    return result;
                });
            }

            @Override
            public CompletableFuture<List<KeyValue>> asList() {
                return rows.asList().thenApply(list -> {
                    list.forEach(row -> measured.read(row.getKey(), row.getValue()));
                    return list;
                });
            }
        };
    }

    private interface Call {
        Object make(Method method, Object[] arguments) throws Throwable;
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    @SuppressWarnings("unchecked") // a proxy of the interface
    private static <T> T proxy(Class<? super T> type, Call call) {
        return (T) Proxy.newProxyInstance(
                MeasuredDatabase.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call.make(method, arguments == null ? new Object[0] : arguments));
    }
}
