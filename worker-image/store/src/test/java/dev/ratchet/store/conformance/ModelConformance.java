/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares a backend with a deliberately naive model on random histories: the model keeps a sorted map per version and
 * checks conflicts by looking at every commit since.
 */
public abstract class ModelConformance {

    private static final int OPEN = 4;
    private static final int STEPS = 1500;
    private static final byte[] STAMPED = {2};
    private static final int STAMP_AT = 1;
    private static final int STAMP_BYTES = 10;

    /** A database that nobody else uses; the test closes it. */
    protected abstract Database open();

    private record Range(byte[] begin, byte[] end) {
        boolean meets(Range other) {
            return Arrays.compareUnsigned(begin, other.end) < 0 && Arrays.compareUnsigned(other.begin, end) < 0;
        }
    }

    private record Done(long version, List<Range> written) {}

    /** A transaction beside its model: the data it read from, its own view, what it read and wrote. */
    private static final class Pair {
        final Transaction real;
        final long version;
        final TreeMap<byte[], byte[]> view = new TreeMap<>(Arrays::compareUnsigned);
        final TreeMap<byte[], Boolean> own = new TreeMap<>(Arrays::compareUnsigned);
        final TreeSet<byte[]> unreadable = new TreeSet<>(Arrays::compareUnsigned);
        final List<Range> reads = new ArrayList<>();
        final List<Range> writes = new ArrayList<>();
        final List<byte[][]> changes = new ArrayList<>();

        Pair(Transaction real, Map<byte[], byte[]> data) {
            this.real = real;
            real.options().setBypassUnreadable();
            version = real.getReadVersion().join();
            view.putAll(data);
        }
    }

    private static byte[] key(Random random) {
        return new byte[] {(byte) random.nextInt(6), (byte) random.nextInt(6)};
    }

    private static Range point(byte[] key) {
        return new Range(key, Arrays.copyOf(key, key.length + 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15})
    void randomHistoriesAreThoseOfTheNaiveModel(long seed) {
        Random random = new Random(seed);
        TreeMap<byte[], byte[]> data = new TreeMap<>(Arrays::compareUnsigned);
        List<Done> history = new ArrayList<>();
        int conflicts = 0;
        try (Database database = open()) {
            Pair[] open = new Pair[OPEN];
            for (int step = 0; step < STEPS; step++) {
                int slot = random.nextInt(OPEN);
                if (open[slot] == null) {
                    open[slot] = new Pair(database.createTransaction(), data);
                } else if (random.nextInt(6) == 0) {
                    conflicts += commit(open[slot], data, history, "seed " + seed + " step " + step) ? 0 : 1;
                    open[slot] = null;
                } else {
                    operate(open[slot], random, "seed " + seed + " step " + step);
                }
            }
            List<KeyValue> rows = database.read(tr ->
                    tr.getRange(new byte[0], new byte[] {(byte) 0xff}).asList().join());
            assertSame(rows, data, "seed " + seed);
        }
        assertThat(conflicts).as("the history has conflicts to agree about").isPositive();
    }

    @Test
    void aGetThatBypassesUnreadableShowsTheOperandAsGivenAndRangesAndSelectorsFailAllTheSame() {
        byte[] key = {1};
        byte[] operand = stampedOperand((byte) 7);
        try (Database database = open()) {
            try (Transaction tr = database.createTransaction()) {
                tr.options().setBypassUnreadable();
                tr.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key, operand);
                assertThat(tr.get(key).join()).isEqualTo(operand);
                assertThat(tr.snapshot().get(key).join()).isEqualTo(operand);
                tr.set(key, new byte[] {5});
                assertThat(tr.get(key).join()).as("a set after it").containsExactly(5);
                tr.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key, operand);
                assertThat(tr.get(key).join()).isEqualTo(operand);
                CompletableFuture<byte[]> stamp = tr.getVersionstamp();
                tr.commit().join();
                byte[] committed = database.read(read -> read.get(key).join());
                assertThat(committed).isEqualTo(stamped(operand, stamp.join()));
            }
            try (Transaction tr = database.createTransaction()) {
                tr.options().setBypassUnreadable();
                tr.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key, operand);
                assertUnreadable(tr.getKey(KeySelector.firstGreaterOrEqual(key)));
                assertUnreadable(tr.getRange(key, new byte[] {2}).asList());
                assertUnreadable(
                        tr.snapshot().getRange(key, new byte[] {2}, 1, true).asList());
                assertUnreadable(tr.commit());
            }
        }
    }

    private static void assertUnreadable(CompletableFuture<?> future) {
        assertThatThrownBy(future::join).hasCauseInstanceOf(FDBException.class).satisfies(e -> assertThat(
                        ((FDBException) e.getCause()).getCode())
                .isEqualTo(1036));
    }

    private static void operate(Pair pair, Random random, String where) {
        byte[] key = key(random);
        byte[] end = key(random);
        switch (random.nextInt(6)) {
            case 0 -> {
                byte[] value = pair.real.get(key).join();
                assertThat(value).as(where).isEqualTo(pair.view.get(key));
                if (!pair.own.containsKey(key)) {
                    pair.reads.add(point(key));
                }
            }
            case 1 -> {
                if (Arrays.compareUnsigned(key, end) < 0
                        && pair.unreadable.subSet(key, end).isEmpty()) {
                    assertSame(
                            pair.real.snapshot().getRange(key, end).asList().join(), pair.view.subMap(key, end), where);
                }
            }
            case 2 -> {
                byte[] value = {(byte) random.nextInt()};
                pair.real.set(key, value);
                pair.view.put(key, value);
                note(pair, key, value);
            }
            case 3 -> {
                pair.real.clear(key);
                pair.view.remove(key);
                pair.unreadable.remove(key);
                note(pair, key, null);
            }
            case 4 -> {
                byte[] operand = stampedOperand((byte) random.nextInt());
                pair.real.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key, operand);
                // Who asks for it nevertheless is shown the operand as it was given, its last four bytes included.
                pair.view.put(key, operand);
                pair.own.put(key, true);
                pair.unreadable.add(key);
                pair.writes.add(point(key));
                pair.changes.add(new byte[][] {key, operand, STAMPED});
            }
            default -> {
                byte[] value = {(byte) random.nextInt(), 1};
                pair.real.mutate(MutationType.BYTE_MAX, key, value);
                boolean known = pair.own.containsKey(key) && !pair.unreadable.contains(key);
                byte[] before = pair.view.get(key);
                byte[] after = before == null || Arrays.compareUnsigned(value, before) > 0 ? value : before;
                pair.view.put(key, after);
                pair.writes.add(point(key));
                // What it makes of a value written meanwhile is decided at the commit.
                pair.changes.add(known ? new byte[][] {key, after} : new byte[][] {key, value, {1}});
            }
        }
    }

    private static byte[] stampedOperand(byte first) {
        byte[] operand = new byte[STAMP_AT + STAMP_BYTES + Integer.BYTES];
        operand[0] = first;
        operand[STAMP_AT + STAMP_BYTES] = STAMP_AT;
        return operand;
    }

    private static byte[] stamped(byte[] operand, byte[] stamp) {
        byte[] value = Arrays.copyOf(operand, STAMP_AT + STAMP_BYTES);
        System.arraycopy(stamp, 0, value, STAMP_AT, STAMP_BYTES);
        return value;
    }

    private static void note(Pair pair, byte[] key, byte[] value) {
        pair.own.put(key, true);
        pair.writes.add(point(key));
        pair.changes.add(new byte[][] {key, value});
    }

    private static boolean commit(Pair pair, Map<byte[], byte[]> data, List<Done> history, String where) {
        boolean conflict = !pair.writes.isEmpty()
                && history.stream().filter(done -> done.version > pair.version).anyMatch(done -> done.written.stream()
                        .anyMatch(written -> pair.reads.stream().anyMatch(written::meets)));
        int code = 0;
        CompletableFuture<byte[]> stamp = pair.real.getVersionstamp();
        try {
            pair.real.commit().join();
        } catch (CompletionException e) {
            code = ((FDBException) e.getCause()).getCode();
        }
        assertThat(code).as(where).isEqualTo(conflict ? 1020 : 0);
        if (conflict || pair.writes.isEmpty()) {
            return !conflict;
        }
        for (byte[][] change : pair.changes) {
            if (change.length == 3 && change[2] == STAMPED) {
                data.put(change[0], stamped(change[1], stamp.join()));
                continue;
            }
            byte[] before = data.get(change[0]);
            if (change.length == 3 && before != null && Arrays.compareUnsigned(change[1], before) <= 0) {
                continue;
            }
            if (change[1] == null) {
                data.remove(change[0]);
            } else {
                data.put(change[0], change[1]);
            }
        }
        history.add(new Done(pair.real.getCommittedVersion(), pair.writes));
        return true;
    }

    private static void assertSame(List<KeyValue> rows, Map<byte[], byte[]> model, String where) {
        List<List<Byte>> real = new ArrayList<>();
        rows.forEach(row -> real.add(boxed(row.getKey(), row.getValue())));
        List<List<Byte>> expected = new ArrayList<>();
        model.forEach((key, value) -> expected.add(boxed(key, value)));
        assertThat(real).as(where).isEqualTo(expected);
    }

    private static List<Byte> boxed(byte[] key, byte[] value) {
        List<Byte> bytes = new ArrayList<>();
        for (byte one : key) {
            bytes.add(one);
        }
        bytes.add((byte) 127);
        for (byte one : value) {
            bytes.add(one);
        }
        return bytes;
    }
}
