/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.store.transaction.VersionstampPlaces;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds between transactions whatever they do, on a database on which things go wrong: a step that a fault has
 * ended proves nothing and is left out, so each test says how many it needs.
 */
public abstract class InvariantConformance extends DatabaseConformance {

    private static final int CLIENTS = 8;
    private static final int ROUNDS = 12;
    private static final int STEPS = 120;
    private static final int KEYS = 20;
    private static final int ENOUGH = 10;
    private static final byte[] END = {(byte) 0xff};
    /** Makes a commit a real one, and is read by nobody. */
    private static final byte[] ELSEWHERE = {0x7f};

    private static final byte[] CONFLICTING = ByteArrayUtil.join(
            new byte[] {(byte) 0xff, (byte) 0xff},
            "/transaction/conflicting_keys/".getBytes(StandardCharsets.US_ASCII));

    private static byte[] key(long number) {
        return Tuple.from(number).pack();
    }

    private static byte[] key(Random random) {
        return key(random.nextInt(KEYS));
    }

    private static KeySelector selector(Random random) {
        return new KeySelector(key(random), random.nextBoolean(), random.nextInt(7) - 3);
    }

    /** FoundationDB's code of what went wrong; 0 where nothing did. */
    private static int codeOf(Runnable step) {
        try {
            step.run();
            return 0;
        } catch (CompletionException e) {
            if (e.getCause() instanceof FDBException failure) {
                return failure.getCode();
            }
            throw e;
        }
    }

    private static void change(Transaction tr, Random random) {
        for (int i = random.nextInt(3); i >= 0; i--) {
            if (random.nextInt(3) > 0) {
                tr.set(key(random), new byte[] {(byte) random.nextInt()});
            } else {
                tr.clear(key(random));
            }
        }
    }

    private void changeSomething(Random random) {
        long seed = random.nextLong();
        database.run(tr -> {
            change(tr, new Random(seed));
            return null;
        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whoCommitsWouldReadTheSameAgain(long seed) {
        Random random = new Random(seed);
        int committed = 0;
        int conflicts = 0;
        for (int step = 0; step < STEPS; step++) {
            KeySelector begin = selector(random);
            KeySelector end = selector(random);
            int limit = random.nextInt(4);
            boolean reverse = random.nextBoolean();
            List<KeyValue> rows = new ArrayList<>();
            List<byte[]> found = new ArrayList<>();
            try (Transaction tr = database.createTransaction()) {
                int code = codeOf(() -> {
                    rows.addAll(tr.getRange(begin, end, limit, reverse).asList().join());
                    found.add(tr.getKey(begin).join());
                    tr.addWriteConflictKey(ELSEWHERE);
                    changeSomething(random);
                    tr.commit().join();
                });
                conflicts += code == 1020 ? 1 : 0;
                if (code != 0) {
                    continue;
                }
            }
            committed++;
            String where = "seed %d, step %d: %s to %s, limit %d, reverse %s"
                    .formatted(seed, step, begin, end, limit, reverse);
            List<KeyValue> again = database.read(
                    tr -> tr.getRange(begin, end, limit, reverse).asList().join());
            assertThat(again).as(where).isEqualTo(rows);
            byte[] foundAgain = database.read(tr -> tr.getKey(begin).join());
            assertThat(foundAgain).as(where).isEqualTo(found.get(0));
        }
        assertThat(committed).isGreaterThan(ENOUGH);
        assertThat(conflicts).isGreaterThan(ENOUGH);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void conflictsAreWhereReadsAndWritesMeetAndAreReportedThere(long seed) {
        Random random = new Random(seed);
        int reported = 0;
        int committed = 0;
        for (int step = 0; step < STEPS; step++) {
            List<Range> reads = ranges(random);
            List<Range> writes = ranges(random);
            boolean meet = reads.stream().anyMatch(read -> writes.stream().anyMatch(write -> meet(read, write)));
            try (Transaction tr = database.createTransaction()) {
                int code = codeOf(() -> {
                    tr.options().setReportConflictingKeys();
                    tr.getReadVersion().join();
                    reads.forEach(read -> tr.addReadConflictRange(read.begin, read.end));
                    tr.addWriteConflictKey(ELSEWHERE);
                    database.run(other -> {
                        writes.forEach(write -> other.addWriteConflictRange(write.begin, write.end));
                        return null;
                    });
                    tr.commit().join();
                });
                String where = "seed %d, step %d".formatted(seed, step);
                if (code == 0) {
                    assertThat(meet).as(where).isFalse();
                    committed++;
                } else if (code == 1020) {
                    List<Range> conflicts = reportedBy(tr);
                    assertThat(conflicts).as(where).allSatisfy(conflict -> {
                        assertThat(reads).anyMatch(read -> meet(read, conflict));
                        assertThat(writes).anyMatch(write -> meet(write, conflict));
                    });
                    reported += conflicts.size();
                }
            }
        }
        assertThat(committed).isGreaterThan(ENOUGH);
        assertThat(reported).isGreaterThan(ENOUGH);
    }

    private static List<Range> ranges(Random random) {
        List<Range> ranges = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int begin = random.nextInt(KEYS);
            ranges.add(new Range(key(begin), key(begin + 1 + random.nextInt(3))));
        }
        return ranges;
    }

    private static boolean meet(Range one, Range other) {
        return Arrays.compareUnsigned(one.begin, other.end) < 0 && Arrays.compareUnsigned(other.begin, one.end) < 0;
    }

    private static List<Range> reportedBy(Transaction tr) {
        List<KeyValue> boundaries =
                tr.getRange(Range.startsWith(CONFLICTING)).asList().join();
        assertThat(boundaries.size() % 2).isZero();
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < boundaries.size(); i += 2) {
            assertThat(boundaries.get(i).getValue()).isEqualTo(new byte[] {'1'});
            assertThat(boundaries.get(i + 1).getValue()).isEqualTo(new byte[] {'0'});
            ranges.add(new Range(
                    Arrays.copyOfRange(
                            boundaries.get(i).getKey(),
                            CONFLICTING.length,
                            boundaries.get(i).getKey().length),
                    Arrays.copyOfRange(
                            boundaries.get(i + 1).getKey(),
                            CONFLICTING.length,
                            boundaries.get(i + 1).getKey().length)));
        }
        return ranges;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void selectorsArePlacesAmongTheSortedKeysOwnWritesIncluded(long seed) {
        Random random = new Random(seed);
        int proved = 0;
        for (int step = 0; step < STEPS; step++) {
            KeySelector selector = selector(random);
            List<byte[]> keys = new ArrayList<>();
            List<byte[]> found = new ArrayList<>();
            try (Transaction tr = database.createTransaction()) {
                int code = codeOf(() -> {
                    change(tr, random);
                    found.add(tr.getKey(selector).join());
                    tr.getRange(new byte[0], END).asList().join().forEach(row -> keys.add(row.getKey()));
                    tr.commit().join();
                });
                if (code != 0) {
                    continue;
                }
            }
            proved++;
            TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
            sorted.addAll(keys);
            int before = sorted.headSet(selector.getKey(), selector.orEqual()).size();
            int place = before + selector.getOffset() - 1;
            byte[] expected = place < 0 ? new byte[0] : place >= keys.size() ? END : keys.get(place);
            assertThat(found.get(0))
                    .as("seed %d, step %d, %s", seed, step, selector)
                    .isEqualTo(expected);
        }
        assertThat(proved).isGreaterThan(ENOUGH);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void twoTransactionsDoWhatOneDoesThatDoesBoth(long seed) {
        Random random = new Random(seed);
        int proved = 0;
        for (int step = 0; step < STEPS / 2; step++) {
            Subspace apart = new Subspace(Tuple.from("apart", step));
            Subspace together = new Subspace(Tuple.from("together", step));
            long first = random.nextLong();
            long second = random.nextLong();
            List<String> seenApart = new ArrayList<>();
            List<String> seenTogether = new ArrayList<>();
            int code = codeOf(() -> {
                alone(tr -> operate(tr, apart, new Random(first), seenApart));
                alone(tr -> operate(tr, apart, new Random(second), seenApart));
                alone(tr -> {
                    operate(tr, together, new Random(first), seenTogether);
                    operate(tr, together, new Random(second), seenTogether);
                });
            });
            if (code == 0) {
                proved++;
                assertThat(seenTogether).as("seed %d, step %d", seed, step).isEqualTo(seenApart);
                assertThat(rows(together)).as("seed %d, step %d", seed, step).isEqualTo(rows(apart));
            }
        }
        assertThat(proved).isGreaterThan(ENOUGH);
    }

    /** Without a retry: what has happened once must not happen again. */
    private void alone(Consumer<Transaction> action) {
        try (Transaction tr = database.createTransaction()) {
            action.accept(tr);
            tr.commit().join();
        }
    }

    private static void operate(Transaction tr, Subspace space, Random random, List<String> seen) {
        MutationType[] operations = {
            MutationType.ADD,
            MutationType.BIT_XOR,
            MutationType.MAX,
            MutationType.MIN,
            MutationType.BYTE_MIN,
            MutationType.APPEND_IF_FITS,
            MutationType.COMPARE_AND_CLEAR
        };
        for (int i = 0; i < 6; i++) {
            byte[] key = space.pack(random.nextInt(5));
            byte[] value = new byte[random.nextInt(4)];
            random.nextBytes(value);
            switch (random.nextInt(5)) {
                case 0 -> tr.set(key, value);
                case 1 -> tr.clear(key, space.pack(5));
                case 2 -> seen.add(ByteArrayUtil.printable(tr.get(key).join()));
                case 3 ->
                    tr.getRange(key, space.pack(5), 2, random.nextBoolean())
                            .asList()
                            .join()
                            .forEach(row -> seen.add(show(space, row)));
                default -> tr.mutate(operations[random.nextInt(operations.length)], key, value);
            }
        }
    }

    private List<String> rows(Subspace space) {
        return database.read(tr -> tr.getRange(space.range()).asList().join()).stream()
                .map(row -> show(space, row))
                .toList();
    }

    private static String show(Subspace space, KeyValue row) {
        return space.unpack(row.getKey()) + "=" + ByteArrayUtil.printable(row.getValue());
    }

    @Test
    void theStampThatIsToldIsTheOneWrittenAndNoneComesTwice() throws Exception {
        Map<Tuple, byte[]> told = new ConcurrentHashMap<>();
        List<CompletableFuture<?>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            clients.add(stamp(client, 0, told));
        }
        awaitAll(clients);
        assertThat(told).hasSize(CLIENTS * ROUNDS);
        Map<Tuple, byte[]> stamps = new HashMap<>();
        TreeSet<byte[]> distinct = new TreeSet<>(Arrays::compareUnsigned);
        for (KeyValue row : database.read(
                tr -> tr.getRange(Tuple.from("stamp").range()).asList().join())) {
            Tuple key = Tuple.fromBytes(row.getKey());
            byte[] stamp = key.getVersionstamp(1).getTransactionVersion();
            stamps.put(key.popFront().popFront(), stamp);
            assertThat(distinct.isEmpty() || Arrays.compareUnsigned(distinct.last(), stamp) < 0)
                    .isTrue();
            distinct.add(stamp);
        }
        told.forEach(
                (name, stamp) -> assertThat(stamps.get(name)).as("%s", name).isEqualTo(stamp));
        for (KeyValue row : database.read(
                tr -> tr.getRange(Tuple.from("value").range()).asList().join())) {
            Tuple name = Tuple.fromBytes(row.getKey()).popFront();
            assertThat(row.getValue()).as("%s", name).isEqualTo(stamps.get(name));
        }
    }

    private CompletableFuture<?> stamp(int client, int round, Map<Tuple, byte[]> told) {
        if (round == ROUNDS) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<byte[]>> asked = new ArrayList<>();
        return database.runAsync(tr -> {
                    Tuple name = Tuple.from(client, round, asked.size());
                    tr.mutate(
                            MutationType.SET_VERSIONSTAMPED_KEY,
                            VersionstampPlaces.pack(new byte[0], List.of("stamp"), 0, name.getItems()),
                            new byte[0]);
                    tr.mutate(
                            MutationType.SET_VERSIONSTAMPED_VALUE,
                            Tuple.from("value").addAll(name).pack(),
                            new byte[10 + Integer.BYTES]);
                    asked.add(tr.getVersionstamp());
                    return CompletableFuture.completedFuture(name);
                })
                .thenCompose(name -> asked.getLast().thenAccept(stamp -> told.put(name, stamp)))
                .thenCompose(nothing -> database.readAsync(tr -> tr.getReadVersion()))
                .thenAccept(later -> assertThat(later)
                        .isGreaterThanOrEqualTo(
                                ByteBuffer.wrap(asked.getLast().join()).getLong()))
                .thenCompose(nothing -> stamp(client, round + 1, told));
    }

    @Test
    void whoHearsOfACommitByOtherMeansSeesIt() throws Exception {
        List<CompletableFuture<?>> clients = new ArrayList<>();
        for (long client = 0; client < CLIENTS; client++) {
            clients.add(tell(client, 0));
        }
        awaitAll(clients);
    }

    private CompletableFuture<?> tell(long client, long round) {
        if (round == ROUNDS) {
            return CompletableFuture.completedFuture(null);
        }
        return database.runAsync(tr -> {
                    tr.set(key(client), key(round));
                    return CompletableFuture.completedFuture(null);
                })
                .thenCompose(nothing -> database.readAsync(tr -> tr.get(key(client))))
                .thenAccept(value -> assertThat(value).isEqualTo(key(round)))
                .thenCompose(nothing -> tell(client, round + 1));
    }

    @Test
    void allWatchesOfOneKeyFire() throws Exception {
        List<CompletableFuture<?>> watches = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            watches.add(database.runAsync(tr -> CompletableFuture.completedFuture(tr.watch(key(1))))
                    .get(60, TimeUnit.SECONDS));
        }
        database.run(tr -> {
            tr.set(key(1), new byte[] {1});
            return null;
        });
        awaitAll(watches);
    }

    private static void awaitAll(List<CompletableFuture<?>> clients) throws Exception {
        CompletableFuture.allOf(clients.toArray(CompletableFuture<?>[]::new)).get(60, TimeUnit.SECONDS);
    }
}
