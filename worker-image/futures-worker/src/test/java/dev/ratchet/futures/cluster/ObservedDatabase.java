/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.futures.worker.ProxiedDatabase;
import dev.ratchet.store.fixture.Proxied;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Remembers of each try of a transaction of a database what it has written and how often it has read. */
final class ObservedDatabase {

    private static final Set<String> READS = Set.of("get", "getKey", "getRange", "getMappedRange");

    private final List<Try> tries = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

    /**
     * What one try has done.
     *
     * @param reads how many reads, by snapshot or not
     * @param first how many of them were begun before any {@code get} was answered
     * @param begun completes when the handler has begun what it can without an answer
     * @param got the keys that it has got
     * @param written the keys that it has set
     * @param givenVersion whether it was given the version at which it reads
     */
    record Try(
            AtomicInteger reads,
            AtomicInteger first,
            CompletableFuture<Void> begun,
            Set<ByteBuffer> got,
            Set<ByteBuffer> written,
            AtomicBoolean givenVersion) {}

    /** Makes databases observed. */
    UnaryOperator<Database> wrapper() {
        return real -> ProxiedDatabase.running(real, handler -> {
            CompletableFuture<Void> opened = keepsASeat() ? CompletableFuture.completedFuture(null) : gate;
            return real.runAsync(transaction -> {
                Try observed = new Try(
                        new AtomicInteger(),
                        new AtomicInteger(),
                        new CompletableFuture<>(),
                        ConcurrentHashMap.newKeySet(),
                        ConcurrentHashMap.newKeySet(),
                        new AtomicBoolean());
                tries.add(observed);
                return opened.thenCompose(open -> {
                    CompletableFuture<Object> result = handler.apply(observe(Transaction.class, transaction, observed));
                    observed.begun().complete(null);
                    return result;
                });
            });
        });
    }

    /**
     * Has transactions that begin from now on wait until {@link #release()}, but for those of the membership: a worker
     * whose heartbeats wait too long has no seat any more.
     */
    void hold() {
        gate = new CompletableFuture<>();
    }

    void release() {
        gate.complete(null);
    }

    /** How many tries have got any of these keys. */
    long triesThatRead(Set<ByteBuffer> keys) {
        return tries.stream()
                .filter(one -> !Collections.disjoint(one.got(), keys))
                .count();
    }

    /** The tries that have set a key, in the order of their beginning. */
    List<Try> triesThatSet(byte[] key) {
        return tries.stream()
                .filter(one -> one.written().contains(ByteBuffer.wrap(key)))
                .toList();
    }

    /** The tries that have got a key. */
    List<Try> triesThatRead(byte[] key) {
        return tries.stream()
                .filter(one -> one.got().contains(ByteBuffer.wrap(key)))
                .toList();
    }

    private static boolean keepsASeat() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith("dev.ratchet.membership.")));
    }

    private static <T extends ReadTransaction> T observe(Class<T> type, T transaction, Try observed) {
        return Proxied.of(type, (method, arguments) -> {
            if (READS.contains(method.getName())) {
                observed.reads().incrementAndGet();
                if (!observed.begun().isDone()) {
                    observed.first().incrementAndGet();
                }
            }
            if (method.getName().equals("get")) {
                observed.got().add(ByteBuffer.wrap((byte[]) arguments[0]));
            }
            if (method.getName().equals("setReadVersion")) {
                observed.givenVersion().set(true);
            }
            if (method.getName().equals("set")) {
                observed.written().add(ByteBuffer.wrap((byte[]) arguments[0]));
            }
            if (method.getName().equals("snapshot")) {
                return observe(ReadTransaction.class, transaction.snapshot(), observed);
            }
            Object result = Proxied.pass(transaction, method, arguments);
            return method.getName().equals("get")
                    ? ((CompletableFuture<?>) result).thenCombine(observed.begun(), (value, begun) -> value)
                    : result;
        });
    }
}
