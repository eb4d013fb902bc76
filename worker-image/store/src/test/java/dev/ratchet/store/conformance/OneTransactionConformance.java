/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One transaction of which nobody waits for anything: each read gives what the calls before it have made of the data,
 * however late it is answered, and of the writes after it nothing. Beside it a sorted map, kept in the order of calls.
 */
public abstract class OneTransactionConformance extends DatabaseConformance {

    private static final int TRANSACTIONS = 60;
    private static final int CALLS = 40;
    private static final int KEYS = 12;
    private static final int ENOUGH = 10;
    private static final int STAMP_BYTES = 10;
    private static final byte[] END = {(byte) 0xff};
    private static final byte[] WRITE_CONFLICTS = ByteArrayUtil.join(
            new byte[] {(byte) 0xff, (byte) 0xff},
            "/transaction/write_conflict_range/".getBytes(StandardCharsets.US_ASCII));

    /** What was asked, what must be answered, and as text where. */
    private record Asked(
            CompletableFuture<?> answer, @Nullable Object expected, String where) {}

    /** What one transaction must see and do. */
    private static final class Model {
        final TreeMap<byte[], byte[]> view = new TreeMap<>(Arrays::compareUnsigned);
        final TreeSet<byte[]> conflicts = new TreeSet<>(Arrays::compareUnsigned);
        final List<Asked> asked = new ArrayList<>();
        boolean withoutConflict;

        void conflict(byte[] key) {
            if (!withoutConflict) {
                conflicts.add(key);
            }
            withoutConflict = false;
        }
    }

    private static byte[] key(int number) {
        return new byte[] {5, (byte) number};
    }

    private static String show(Map<byte[], byte[]> rows) {
        StringBuilder text = new StringBuilder();
        rows.forEach((key, value) -> text.append(ByteArrayUtil.printable(key))
                .append('=')
                .append(ByteArrayUtil.printable(value))
                .append(' '));
        return text.toString();
    }

    private static String show(List<KeyValue> rows) {
        TreeMap<byte[], byte[]> sorted = new TreeMap<>(Arrays::compareUnsigned);
        rows.forEach(row -> sorted.put(row.getKey(), row.getValue()));
        return show(sorted);
    }

    private static int codeOf(Runnable call) {
        try {
            call.run();
            return 0;
        } catch (CompletionException e) {
            return ((FDBException) e.getCause()).getCode();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyReadIsThatOfItsPlaceAmongTheCalls(long seed) {
        Random random = new Random(seed);
        int committed = 0;
        for (int round = 0; round < TRANSACTIONS; round++) {
            Model model = new Model();
            database.read(tr -> tr.getRange(key(0), key(KEYS)).asList().join())
                    .forEach(row -> model.view.put(row.getKey(), row.getValue()));
            try (Transaction tr = database.createTransaction()) {
                for (int call = 0; call < CALLS; call++) {
                    call(tr, model, random, "seed %d, transaction %d, call %d".formatted(seed, round, call));
                }
                String where = "seed %d, transaction %d".formatted(seed, round);
                int code = codeOf(() -> {
                    model.asked.forEach(each ->
                            assertThat(each.answer.join()).as(each.where).isEqualTo(each.expected));
                    assertThat(writeConflicts(tr)).as(where).isEqualTo(show(points(model.conflicts)));
                    tr.commit().join();
                });
                if (code == 0) {
                    committed++;
                    List<KeyValue> rows = database.read(
                            read -> read.getRange(key(0), key(KEYS)).asList().join());
                    assertThat(show(rows)).as(where).isEqualTo(show(model.view));
                }
            }
        }
        assertThat(committed).isGreaterThan(ENOUGH);
    }

    private static Map<byte[], byte[]> points(Set<byte[]> keys) {
        TreeMap<byte[], byte[]> points = new TreeMap<>(Arrays::compareUnsigned);
        keys.forEach(key -> points.put(key, new byte[0]));
        return points;
    }

    /** The keys of the test within the write conflict ranges that the transaction tells. */
    private static String writeConflicts(Transaction tr) {
        List<KeyValue> boundaries =
                tr.getRange(Range.startsWith(WRITE_CONFLICTS)).asList().join();
        TreeSet<byte[]> within = new TreeSet<>(Arrays::compareUnsigned);
        for (int i = 0; i < boundaries.size(); i += 2) {
            byte[] begin = withoutPrefix(boundaries.get(i).getKey());
            byte[] end = withoutPrefix(boundaries.get(i + 1).getKey());
            for (int number = 0; number < KEYS; number++) {
                if (Arrays.compareUnsigned(key(number), begin) >= 0 && Arrays.compareUnsigned(key(number), end) < 0) {
                    within.add(key(number));
                }
            }
        }
        return show(points(within));
    }

    private static byte[] withoutPrefix(byte[] key) {
        return Arrays.copyOfRange(key, WRITE_CONFLICTS.length, key.length);
    }

    private static void call(Transaction tr, Model model, Random random, String where) {
        byte[] key = key(random.nextInt(KEYS));
        byte[] end = key(random.nextInt(KEYS));
        byte[] value = {(byte) random.nextInt(4), (byte) random.nextInt(4)};
        switch (random.nextInt(8)) {
            case 0 -> {
                tr.set(key, value);
                model.view.put(key, value);
                model.conflict(key);
            }
            case 1 -> {
                tr.clear(key);
                model.view.remove(key);
                model.conflict(key);
            }
            case 2 -> clear(tr, model, key, end);
            case 3 -> {
                tr.mutate(MutationType.BYTE_MAX, key, value);
                model.view.merge(key, value, (old, new_) -> Arrays.compareUnsigned(old, new_) > 0 ? old : new_);
                model.conflict(key);
            }
            case 4 -> {
                tr.mutate(MutationType.COMPARE_AND_CLEAR, key, value);
                model.view.computeIfPresent(key, (same, old) -> Arrays.equals(old, value) ? null : old);
                model.conflict(key);
            }
            case 5 -> {
                tr.options().setNextWriteNoWriteConflictRange();
                model.withoutConflict = true;
            }
            default -> read(tr, model, random, key, end, where);
        }
    }

    private static void clear(Transaction tr, Model model, byte[] begin, byte[] end) {
        if (Arrays.compareUnsigned(begin, end) > 0) {
            return;
        }
        tr.clear(begin, end);
        model.view.subMap(begin, end).clear();
        boolean counts = !model.withoutConflict;
        model.withoutConflict = false;
        for (int number = 0; number < KEYS && counts; number++) {
            if (Arrays.compareUnsigned(key(number), begin) >= 0 && Arrays.compareUnsigned(key(number), end) < 0) {
                model.conflicts.add(key(number));
            }
        }
    }

    private static void read(Transaction tr, Model model, Random random, byte[] key, byte[] end, String where) {
        ReadTransaction reader = random.nextBoolean() ? tr : tr.snapshot();
        if (random.nextBoolean()) {
            model.asked.add(new Asked(
                    reader.get(key).thenApply(ByteArrayUtil::printable),
                    ByteArrayUtil.printable(model.view.get(key)),
                    where));
        } else {
            // With a limit the rows come at once; of an iterator each chunk would be of the time it is asked for.
            String expected = Arrays.compareUnsigned(key, end) > 0 ? "" : show(model.view.subMap(key, end));
            model.asked.add(new Asked(
                    reader.getRange(key, end, KEYS).asList().thenApply(OneTransactionConformance::show),
                    expected,
                    where));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatAwaitsItsStampCanNotBeReadAndAllElseCan(long seed) {
        Random random = new Random(seed);
        int refused = 0;
        int read = 0;
        for (int round = 0; round < TRANSACTIONS * 3; round++) {
            TreeSet<byte[]> unreadable = new TreeSet<>(Arrays::compareUnsigned);
            try (Transaction tr = database.createTransaction()) {
                int faulty = codeOf(() -> tr.getReadVersion().join());
                for (int i = random.nextInt(4); i > 0 && faulty == 0; i--) {
                    change(tr, unreadable, key(random.nextInt(KEYS)), random);
                }
                byte[] key = key(random.nextInt(KEYS));
                byte[] end = random.nextBoolean() ? ByteArrayUtil.join(key, new byte[1]) : key(KEYS);
                boolean meets = !unreadable.subSet(key, end).isEmpty();
                int code = faulty != 0
                        ? faulty
                        : codeOf(() -> tr.getRange(key, end).asList().join());
                String where = "seed %d, transaction %d".formatted(seed, round);
                if (code == 1036 || code == 0) {
                    assertThat(code).as(where).isEqualTo(meets ? 1036 : 0);
                    refused += meets ? 1 : 0;
                    read += meets ? 0 : 1;
                }
            }
        }
        assertThat(refused).isGreaterThan(ENOUGH);
        assertThat(read).isGreaterThan(ENOUGH);
    }

    private static void change(Transaction tr, Set<byte[]> unreadable, byte[] key, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> {
                tr.clear(key);
                unreadable.remove(key);
            }
            // Does not make it readable.
            case 1 -> tr.set(key, new byte[] {1});
            default -> {
                tr.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key, new byte[STAMP_BYTES + Integer.BYTES]);
                unreadable.add(key);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whereAStampedKeyMayComeToLieNothingCanBeReadAndBesideItEverything(long seed) {
        Random random = new Random(seed);
        int proved = 0;
        for (int round = 0; round < TRANSACTIONS; round++) {
            byte prefix = (byte) (20 + random.nextInt(20));
            byte[] template = new byte[1 + STAMP_BYTES + Integer.BYTES];
            template[0] = prefix;
            template[1 + STAMP_BYTES] = 1;
            byte[] last = new byte[1 + STAMP_BYTES];
            Arrays.fill(last, (byte) 0xff);
            last[0] = prefix;
            byte[] afterLast = ByteArrayUtil.join(last, new byte[] {0});
            try (Transaction tr = database.createTransaction()) {
                int code = codeOf(() -> {
                    tr.getReadVersion().join();
                    tr.mutate(MutationType.SET_VERSIONSTAMPED_KEY, template, new byte[] {7});
                    tr.get(new byte[] {prefix}).join();
                    tr.get(afterLast).join();
                    tr.getRange(afterLast, END).asList().join();
                });
                byte[] within = round % 3 == 0 ? last : new byte[] {prefix, (byte) 0xff};
                int met = codeOf(() -> tr.get(within).join());
                if (code == 0 && met != 1007 && met != 1009 && met != 1037) {
                    assertThat(met).as("seed %d, transaction %d", seed, round).isEqualTo(1036);
                    proved++;
                }
            }
        }
        assertThat(proved).isGreaterThan(ENOUGH);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aWatchFiresIfItsValueChangesAndNotIfItIsWrittenAgain(long seed) throws Exception {
        Random random = new Random(seed);
        Map<Integer, byte @Nullable []> values = new TreeMap<>();
        for (int number = 0; number < KEYS; number++) {
            values.put(number, null);
        }
        for (int round = 0; round < TRANSACTIONS / 2; round++) {
            List<CompletableFuture<Void>> watches = database.run(tr -> values.keySet().stream()
                    .map(number -> tr.watch(key(number)))
                    .toList());
            long writes = random.nextLong();
            Map<Integer, byte @Nullable []> next = database.run(tr -> write(tr, values, new Random(writes)));
            for (int number = 0; number < KEYS; number++) {
                CompletableFuture<Void> watch = watches.get(number);
                if (Arrays.equals(values.get(number), next.get(number))) {
                    assertThat(watch)
                            .as("seed %d, round %d, key %d", seed, round, number)
                            .isNotDone();
                    watch.cancel(true);
                } else {
                    watch.get(60, TimeUnit.SECONDS);
                }
            }
            values.putAll(next);
        }
    }

    private static Map<Integer, byte @Nullable []> write(
            Transaction tr, Map<Integer, byte @Nullable []> values, Random random) {
        Map<Integer, byte @Nullable []> next = new TreeMap<>(values);
        for (int number = 0; number < KEYS; number++) {
            if (random.nextBoolean()) {
                byte[] value = random.nextInt(3) == 0 ? null : new byte[] {(byte) random.nextInt(2)};
                if (value == null) {
                    tr.clear(key(number));
                } else {
                    tr.set(key(number), value);
                }
                next.put(number, value);
            }
        }
        return next;
    }
}
