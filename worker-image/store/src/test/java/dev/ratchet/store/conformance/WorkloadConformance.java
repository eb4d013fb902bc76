/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Workloads of FoundationDB's own simulation, many clients at once on a database on which things go wrong: whatever
 * happens, their invariants hold.
 */
public abstract class WorkloadConformance extends DatabaseConformance {

    private static final int CLIENTS = 12;
    private static final int ROUNDS = 25;
    private static final int NODES = 16;

    private static byte[] node(long index) {
        return Tuple.from("node", index).pack();
    }

    private static byte[] value(long value) {
        return Tuple.from(value).pack();
    }

    private static long number(byte[] value) {
        return Tuple.fromBytes(value).getLong(0);
    }

    private static void awaitAll(List<CompletableFuture<Void>> clients) throws Exception {
        CompletableFuture.allOf(clients.toArray(CompletableFuture<?>[]::new)).get(60, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Void> repeat(
            int times, java.util.function.IntFunction<CompletableFuture<?>> step) {
        CompletableFuture<Void> chain = CompletableFuture.completedFuture(null);
        for (int i = 0; i < times; i++) {
            int round = i;
            chain = chain.thenCompose(nothing -> step.apply(round)).thenAccept(nothing -> {});
        }
        return chain;
    }

    @Test
    void aRingThatIsRotatedByAllStaysOneRing() throws Exception {
        database.run(tr -> {
            for (long i = 0; i < NODES; i++) {
                tr.set(node(i), value((i + 1) % NODES));
            }
            return null;
        });
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            Random random = new Random(client);
            clients.add(repeat(ROUNDS, round -> database.runAsync(tr -> rotate(tr, random.nextInt(NODES)))));
        }
        awaitAll(clients);
        Set<Long> seen = new HashSet<>();
        long at = 0;
        for (int i = 0; i < NODES; i++) {
            seen.add(at);
            long from = at;
            at = number(database.read(tr -> tr.get(node(from)).join()));
        }
        assertThat(seen).hasSize(NODES);
        assertThat(at).isZero();
    }

    /** a → b → c → d becomes a → c → b → d. */
    private static CompletableFuture<Void> rotate(Transaction tr, long a) {
        return tr.get(node(a)).thenCompose(first -> {
            long b = number(first);
            return tr.get(node(b)).thenCompose(second -> {
                long c = number(second);
                return tr.get(node(c)).thenAccept(third -> {
                    tr.clear(node(a), Tuple.from("node", a + 1).pack());
                    tr.set(node(a), value(c));
                    tr.set(node(b), value(number(third)));
                    tr.set(node(c), value(b));
                });
            });
        });
    }

    @Test
    void eachAcknowledgedIncrementCountsOnceAlthoughOutcomesGetLost() throws Exception {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            int id = client;
            clients.add(repeat(
                    ROUNDS,
                    round -> database.runAsync(tr -> {
                        // The mark makes a retry of what has happened do nothing.
                        byte[] mark = Tuple.from("done", id, round).pack();
                        return tr.get(mark).thenCompose(done -> {
                            if (done != null) {
                                return CompletableFuture.completedFuture(null);
                            }
                            tr.set(mark, new byte[0]);
                            return tr.get(Tuple.from("count").pack())
                                    .thenAccept(count -> tr.set(
                                            Tuple.from("count").pack(), value(count == null ? 1 : number(count) + 1)));
                        });
                    })));
        }
        awaitAll(clients);
        byte[] count = database.read(tr -> tr.get(Tuple.from("count").pack()).join());
        assertThat(number(count)).isEqualTo((long) CLIENTS * ROUNDS);
    }

    @Test
    void whatWasCommittedBeforeNeverComesBack() {
        byte[] key = Tuple.from("last").pack();
        for (int round = 0; round < CLIENTS * ROUNDS; round++) {
            byte[] written = value(round);
            database.run(tr -> {
                tr.set(key, written);
                return null;
            });
            byte[] read = database.read(tr -> tr.get(key).join());
            assertThat(read).as("round %d", round).isEqualTo(written);
        }
    }

    @Test
    void aSumOfAtomicAddsIsTheSumOfWhatTheSameTransactionsLogged() throws Exception {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            Random random = new Random(client);
            int id = client;
            clients.add(repeat(ROUNDS, round -> {
                byte[] amount = ByteArrayUtil.encodeInt(random.nextInt(1000));
                int[] tries = {0};
                return database.runAsync(tr -> {
                    tr.mutate(MutationType.ADD, Tuple.from("sum").pack(), amount);
                    tr.set(Tuple.from("log", id, round, tries[0]++).pack(), amount);
                    return CompletableFuture.completedFuture(null);
                });
            }));
        }
        awaitAll(clients);
        List<KeyValue> log = database.read(
                tr -> tr.getRange(Tuple.from("log").range()).asList().join());
        long logged = log.stream()
                .mapToLong(row -> ByteArrayUtil.decodeInt(row.getValue()))
                .sum();
        byte[] sum = database.read(tr -> tr.get(Tuple.from("sum").pack()).join());
        assertThat(ByteArrayUtil.decodeInt(sum)).isEqualTo(logged);
    }

    @Test
    void aChangeAtTheHeadOfAChainOfWatchersReachesItsTail() throws Exception {
        int length = 6;
        List<CompletableFuture<Void>> watchers = new ArrayList<>();
        for (long i = 0; i < length; i++) {
            watchers.add(copyOn(i));
        }
        database.runAsync(tr -> {
                    tr.set(node(0), value(7));
                    return CompletableFuture.completedFuture(null);
                })
                .get(60, TimeUnit.SECONDS);
        awaitAll(watchers);
        byte[] tail = database.read(tr -> tr.get(node(length)).join());
        assertThat(number(tail)).isEqualTo(7);
    }

    /** Waits until a node has a value and gives it to the next one. */
    private CompletableFuture<Void> copyOn(long index) {
        return database.runAsync(tr -> tr.get(node(index)).thenApply(found -> {
                    if (found == null) {
                        return tr.watch(node(index));
                    }
                    tr.set(node(index + 1), found);
                    return CompletableFuture.<Void>completedFuture(null);
                }))
                .thenCompose(watch -> watch.isDone() && !watch.isCompletedExceptionally()
                        ? database.runAsync(tr -> tr.get(node(index + 1)))
                                .thenCompose(copied ->
                                        copied == null ? copyOn(index) : CompletableFuture.<Void>completedFuture(null))
                        : watch.handle((nothing, error) -> copyOn(index)).thenCompose(next -> next));
    }
}
