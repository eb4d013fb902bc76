/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.store.transaction.VersionstampPlaces;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Atomic operations, of every type: what each makes of a value, beside a second description of them by integers, and
 * that many clients' operations on one key are those that the same transactions have logged, in the order of their
 * stamps, whatever goes wrong.
 */
public abstract class AtomicsConformance extends DatabaseConformance {

    private static final int VALUES = 60;
    private static final int CLIENTS = 6;
    private static final int ROUNDS = 8;
    private static final int FITTING_BYTES = 100_000;

    private static BigInteger littleEndian(byte[] bytes, int length) {
        byte[] reversed = new byte[length];
        for (int i = 0; i < Math.min(length, bytes.length); i++) {
            reversed[length - 1 - i] = bytes[i];
        }
        return new BigInteger(1, reversed);
    }

    private static byte[] littleEndian(BigInteger number, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length * 8; i++) {
            if (number.testBit(i)) {
                bytes[i / 8] |= (byte) (1 << i % 8);
            }
        }
        return bytes;
    }

    /** The value after an operation; null for none, before or after. */
    private static byte @Nullable [] expected(MutationType type, byte @Nullable [] before, byte[] param) {
        boolean keepsEmpty =
                switch (type) {
                    case BIT_AND, MIN, BYTE_MIN, BYTE_MAX, COMPARE_AND_CLEAR -> true;
                    default -> false;
                };
        if (before == null && type == MutationType.COMPARE_AND_CLEAR) {
            return null;
        }
        if (before == null || (before.length == 0 && !keepsEmpty)) {
            return param;
        }
        BigInteger x = littleEndian(before, param.length);
        BigInteger p = littleEndian(param, param.length);
        int order = Arrays.compareUnsigned(before, param);
        return switch (type) {
            case ADD -> littleEndian(x.add(p), param.length);
            case BIT_AND -> littleEndian(x.and(p), param.length);
            case BIT_OR -> littleEndian(x.or(p), param.length);
            case BIT_XOR -> littleEndian(x.xor(p), param.length);
            case MAX -> littleEndian(x.max(p), param.length);
            case MIN -> littleEndian(x.min(p), param.length);
            case BYTE_MAX -> order < 0 ? param : before;
            case BYTE_MIN -> order > 0 ? param : before;
            case COMPARE_AND_CLEAR -> order == 0 ? null : before;
            case APPEND_IF_FITS ->
                before.length + param.length > FITTING_BYTES ? before : ByteArrayUtil.join(before, param);
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    private static byte[] bytes(Random random, int lengthMax) {
        byte[] bytes = new byte[random.nextInt(lengthMax + 1)];
        for (int i = 0; i < bytes.length; i++) {
            // Few different ones, so that equal values come up.
            bytes[i] = (byte) (random.nextInt(3) - 1);
        }
        return bytes;
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"AND", "OR", "XOR", "SET_VERSIONSTAMPED_KEY", "SET_VERSIONSTAMPED_VALUE"})
    void anOperationMakesTheSameOfAValueBeforeAndAfterItsCommit(MutationType type) {
        Random random = new Random(type.code());
        List<byte @Nullable []> before = new ArrayList<>();
        List<byte[]> params = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            boolean large = type == MutationType.APPEND_IF_FITS && i % 10 == 0;
            before.add(i % 5 == 4 ? null : large ? new byte[FITTING_BYTES - 2] : bytes(random, 4));
            params.add(bytes(random, 4));
        }
        database.run(tr -> {
            for (int i = 0; i < VALUES; i++) {
                byte[] value = before.get(i);
                if (value != null) {
                    tr.set(Tuple.from(i).pack(), value);
                }
            }
            return null;
        });
        for (int i = 0; i < VALUES; i++) {
            String where = type + " " + i;
            byte[] key = Tuple.from(i).pack();
            byte[] after = expected(type, before.get(i), params.get(i));
            operateOnce(key, type, params.get(i), i % 2 == 0, after, where);
            byte[] stored = database.read(tr -> tr.get(key).join());
            assertThat(stored).as(where).isEqualTo(after);
        }
    }

    private void operateOnce(
            byte[] key, MutationType type, byte[] param, boolean reads, byte @Nullable [] after, String where) {
        byte[] mark = ByteArrayUtil.join(key, new byte[] {1});
        database.run(tr -> {
            // A retry of what has happened does nothing.
            if (tr.get(mark).join() == null) {
                tr.set(mark, new byte[0]);
                tr.mutate(type, key, param);
                if (reads) {
                    assertThat(tr.get(key).join()).as(where).isEqualTo(after);
                }
            }
            return null;
        });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"AND", "OR", "XOR", "SET_VERSIONSTAMPED_KEY", "SET_VERSIONSTAMPED_VALUE"})
    void aKeyIsWhatTheLoggedOperationsMakeOfItInTheOrderOfTheirStamps(MutationType type) throws Exception {
        List<CompletableFuture<?>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            clients.add(operate(type, client, 0, new Random(client)));
        }
        CompletableFuture.allOf(clients.toArray(CompletableFuture<?>[]::new)).get(60, TimeUnit.SECONDS);
        database.run(tr -> {
            List<KeyValue> log = tr.getRange(Tuple.from("log").range()).asList().join();
            assertThat(log).hasSizeGreaterThanOrEqualTo(CLIENTS * ROUNDS);
            byte[] value = null;
            for (KeyValue entry : log) {
                value = expected(type, value, entry.getValue());
            }
            assertThat(tr.get(Tuple.from("ops").pack()).join()).as("%s", type).isEqualTo(value);
            return null;
        });
    }

    private CompletableFuture<?> operate(MutationType type, int client, int round, Random random) {
        if (round == ROUNDS) {
            return CompletableFuture.completedFuture(null);
        }
        byte[] param = bytes(random, 3);
        int[] tries = {0};
        return database.runAsync(tr -> log(tr, type, param, List.of(client, round, tries[0]++)))
                .thenCompose(nothing -> operate(type, client, round + 1, random));
    }

    private static CompletableFuture<Void> log(Transaction tr, MutationType type, byte[] param, List<Object> name) {
        tr.mutate(type, Tuple.from("ops").pack(), param);
        tr.mutate(
                MutationType.SET_VERSIONSTAMPED_KEY,
                VersionstampPlaces.pack(new byte[0], List.of("log"), 0, name),
                param);
        return CompletableFuture.completedFuture(null);
    }
}
