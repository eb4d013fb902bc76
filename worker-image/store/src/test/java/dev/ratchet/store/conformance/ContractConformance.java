/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each call answers whatever it is given, legal or not: the code of one of the rules that its arguments break, and
 * none where they break none. On a database without faults.
 */
public abstract class ContractConformance extends DatabaseConformance {

    private static final int CALLS = 3_000;
    private static final int KEY_BYTES_MAX = 10_000;
    private static final int VALUE_BYTES_MAX = 100_000;
    private static final List<StreamingMode> MODES = List.of(StreamingMode.values());
    private static final List<MutationType> TYPES = List.of(MutationType.values());
    private static final byte[] USER_END = {(byte) 0xff};
    private static final byte[] SYSTEM_END = {(byte) 0xff, (byte) 0xff};
    private static final byte[] METADATA_VERSION =
            ByteArrayUtil.join(USER_END, "/metadataVersion".getBytes(StandardCharsets.US_ASCII));

    @Test
    void whatOwnWritesAnswerTakesNoReadVersion() {
        byte[] begin = {1};
        byte[] key = {2};
        byte[] end = {3};
        byte[] elsewhere = {9};
        try (Transaction tr = database.createTransaction()) {
            tr.clear(begin, end);
            tr.set(key, key);
            assertThat(tr.getRange(begin, end).asList().join()).hasSize(1);
            assertThat(tr.getRange(begin, end, 1, true).asList().join()).hasSize(1);
            assertThat(tr.getRange(end, end).asList().join()).isEmpty();
            assertThat(tr.getKey(KeySelector.firstGreaterOrEqual(begin)).join()).isEqualTo(key);
            assertThat(tr.get(key).join()).isEqualTo(key);

            database.run(other -> {
                other.set(elsewhere, elsewhere);
                return null;
            });

            assertThat(tr.get(elsewhere).join())
                    .as("committed before the first read of the store")
                    .isEqualTo(elsewhere);
        }
    }

    @Test
    void aReadVersionMayBeSetAfterReadsThatOwnWritesAnswer() {
        byte[] begin = {1};
        byte[] end = {3};
        long version = database.run(other -> other.getReadVersion().join());
        try (Transaction tr = database.createTransaction()) {
            tr.clear(begin, end);
            assertThat(tr.getRange(begin, end).asList().join()).isEmpty();
            tr.setReadVersion(version);
            assertThat(tr.getReadVersion().join()).isEqualTo(version);
        }
    }

    @Test
    void optionsAreAcceptedAfterReadsOfSpecialKeysAlone() {
        byte[] conflicts =
                ByteArrayUtil.join(SYSTEM_END, "/transaction/read_conflict_range/".getBytes(StandardCharsets.US_ASCII));
        byte[] status = ByteArrayUtil.join(SYSTEM_END, "/status/json".getBytes(StandardCharsets.US_ASCII));
        try (Transaction tr = database.createTransaction()) {
            assertThat(tr.getRange(conflicts, ByteArrayUtil.strinc(conflicts))
                            .asList()
                            .join())
                    .isEmpty();
            assertThat(tr.get(status).join()).isNotEmpty();
            tr.options().setReadYourWritesDisable();
            assertThat(tr.get(new byte[] {1}).join()).isNull();
        }
    }

    /** One transaction, its options, and the rules that its calls have broken. */
    private static final class Tried {
        final Transaction tr;
        final byte[] maxReadKey;
        final byte[] maxWriteKey;
        final Set<Integer> broken = new TreeSet<>();
        String call = "";

        Tried(Transaction tr, int access) {
            this.tr = tr;
            if (access == 1) {
                tr.options().setReadSystemKeys();
            } else if (access == 2) {
                tr.options().setAccessSystemKeys();
            }
            maxReadKey = access == 0 ? USER_END : SYSTEM_END;
            maxWriteKey = access == 2 ? SYSTEM_END : USER_END;
        }

        void breaks(boolean rule, int code) {
            if (rule) {
                broken.add(code);
            }
        }

        void breaksKey(byte[] key) {
            breaks(compare(key, maxWriteKey) >= 0, 2004);
            breaks(key.length > (key.length > 0 && key[0] == -1 ? 30_000 : KEY_BYTES_MAX), 2102);
        }
    }

    private static int compare(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other);
    }

    /** Short or far too long, of users or of the system, never a special key. */
    private static byte[] key(Random random) {
        byte[] key = new byte[random.nextInt(20) == 0 ? KEY_BYTES_MAX - 1 + random.nextInt(4) : random.nextInt(3)];
        for (int i = 0; i < Math.min(3, key.length); i++) {
            key[i] = (byte) (random.nextInt(3) - (random.nextInt(6) == 0 ? 1 : 0));
        }
        return random.nextInt(30) == 0 ? METADATA_VERSION : startsSpecial(key) ? USER_END : key;
    }

    private static boolean startsSpecial(byte[] key) {
        return key.length >= 2 && key[0] == -1 && key[1] == -1;
    }

    private static byte[] value(Random random) {
        return new byte[random.nextInt(20) == 0 ? VALUE_BYTES_MAX - 1 + random.nextInt(4) : random.nextInt(20)];
    }

    private static int codeOf(Supplier<CompletableFuture<?>> call) {
        try {
            call.get().join();
            return 0;
        } catch (FDBException thrown) {
            return thrown.getCode();
        } catch (CompletionException failed) {
            return ((FDBException) failed.getCause()).getCode();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aCallFailsByARuleThatItsArgumentsBreakAndOnlyThen(long seed) {
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < CALLS; i++) {
            try (Transaction tr = database.createTransaction()) {
                Tried tried = new Tried(tr, random.nextInt(3));
                int code = codeOf(() -> random.nextBoolean() ? read(tried, random) : write(tried, random));
                String where = "seed %d, call %d, %s".formatted(seed, i, tried.call);
                if (tried.broken.isEmpty()) {
                    assertThat(code).as(where).isZero();
                } else {
                    assertThat(tried.broken).as(where).contains(code);
                    refused++;
                }
            }
        }
        assertThat(refused).isBetween(CALLS / 10, CALLS * 9 / 10);
    }

    private static CompletableFuture<?> read(Tried tried, Random random) {
        byte[] key = key(random);
        ReadTransaction reader = random.nextBoolean() ? tried.tr : tried.tr.snapshot();
        boolean outside = compare(key, tried.maxReadKey) > 0;
        switch (random.nextInt(6)) {
            case 0 -> {
                tried.call = "get " + key.length;
                tried.breaks(compare(key, tried.maxReadKey) >= 0 && !Arrays.equals(key, METADATA_VERSION), 2004);
                return reader.get(key);
            }
            case 1 -> {
                tried.call = "getKey";
                tried.breaks(outside, 2004);
                return reader.getKey(new KeySelector(key, random.nextBoolean(), random.nextInt(5) - 2));
            }
            case 2 -> {
                byte[] end = key(random);
                int limit = random.nextInt(8) - 3;
                StreamingMode mode = MODES.get(random.nextInt(MODES.size()));
                tried.call = "getRange limit " + limit + " " + mode;
                tried.breaks(outside || compare(end, tried.maxReadKey) > 0, 2004);
                tried.breaks(limit < -1, 2012);
                // asList reads exactly the limit of an iterator that has one.
                boolean exact = mode == StreamingMode.EXACT || (mode == StreamingMode.ITERATOR && limit != 0);
                tried.breaks(exact && limit <= 0, 2210);
                return reader.getRange(key, end, limit, random.nextBoolean(), mode)
                        .asList();
            }
            case 3 -> {
                byte[] end = key(random);
                tried.call = "getEstimatedRangeSizeBytes";
                tried.breaks(compare(key, end) > 0, 2005);
                return reader.getEstimatedRangeSizeBytes(key, end);
            }
            case 4 -> {
                tried.call = "watch";
                tried.breaks(compare(key, tried.maxReadKey) >= 0 && !Arrays.equals(key, METADATA_VERSION), 2004);
                tried.breaks(key.length > (key.length > 0 && key[0] == -1 ? 30_000 : KEY_BYTES_MAX), 2102);
                CompletableFuture<Void> watch = tried.tr.watch(key);
                // A legal one is pending until its transaction ends.
                return watch.isDone() ? watch : CompletableFuture.completedFuture(null);
            }
            default -> {
                long version = random.nextLong(-1, 2);
                boolean twice = random.nextBoolean();
                tried.call = "setReadVersion " + version + (twice ? " twice" : "");
                tried.breaks(version <= 0, 2011);
                tried.breaks(twice, 2010);
                tried.tr.setReadVersion(version);
                if (twice) {
                    tried.tr.setReadVersion(version);
                }
                return tried.tr.getReadVersion();
            }
        }
    }

    private static CompletableFuture<?> write(Tried tried, Random random) {
        byte[] key = key(random);
        byte[] value = value(random);
        byte[] end = key(random);
        boolean outside = compare(key, tried.maxWriteKey) > 0 || compare(end, tried.maxWriteKey) > 0;
        boolean metadata = Arrays.equals(key, METADATA_VERSION);
        switch (random.nextInt(7)) {
            case 0 -> {
                tried.call = "set";
                tried.breaksKey(key);
                tried.breaks(metadata, 2000);
                tried.breaks(value.length > VALUE_BYTES_MAX, 2103);
                tried.tr.set(key, value);
            }
            case 1 -> {
                tried.call = "clear";
                tried.breaks(compare(key, tried.maxWriteKey) >= 0, 2004);
                tried.tr.clear(key);
            }
            case 2 -> {
                tried.call = "clear range";
                tried.breaks(compare(key, end) > 0, 2005);
                tried.breaks(outside, 2004);
                tried.tr.clear(key, end);
            }
            case 3 -> {
                MutationType type = TYPES.get(random.nextInt(TYPES.size()));
                tried.call = type.toString();
                mutate(tried, type, key, value, metadata);
            }
            case 4 -> {
                tried.call = "addWriteConflictRange";
                tried.breaks(compare(key, end) > 0, 2005);
                tried.breaks(outside, 2004);
                tried.tr.addWriteConflictRange(key, end);
            }
            case 5 -> {
                tried.call = "addReadConflictRange";
                tried.breaks(compare(key, end) > 0, 2005);
                tried.breaks(compare(key, tried.maxReadKey) > 0 || compare(end, tried.maxReadKey) > 0, 2004);
                tried.tr.addReadConflictRange(key, end);
            }
            default -> option(tried, random);
        }
        return tried.tr.commit();
    }

    private static void mutate(Tried tried, MutationType type, byte[] key, byte[] value, boolean metadata) {
        boolean stampedKey = type == MutationType.SET_VERSIONSTAMPED_KEY;
        boolean stampedValue = type == MutationType.SET_VERSIONSTAMPED_VALUE;
        if (metadata) {
            tried.breaks(!stampedValue || value.length != 14, 2000);
            tried.breaks(true, 2000);
        } else {
            tried.breaksKey(key);
        }
        tried.breaks(value.length > VALUE_BYTES_MAX, 2103);
        // All of them are zeros but for the first few bytes of a key.
        tried.breaks(stampedKey && !hasPosition(key), 2000);
        tried.breaks(stampedValue && !hasPosition(value), 2000);
        if (metadata && stampedValue && value.length == 14) {
            tried.broken.clear();
        }
        tried.tr.mutate(type, key, value);
    }

    private static boolean hasPosition(byte[] template) {
        int body = template.length - Integer.BYTES;
        return body >= 10
                && java.nio.ByteBuffer.wrap(template, body, Integer.BYTES)
                                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                                .getInt()
                        == 0;
    }

    private static void option(Tried tried, Random random) {
        long number = random.nextLong(-2, 3);
        tried.tr.addWriteConflictKey(new byte[0]);
        switch (random.nextInt(4)) {
            case 0 -> {
                tried.call = "timeout " + number;
                tried.breaks(number < 0, 2006);
                tried.tr.options().setTimeout(number <= 0 ? number : 600_000);
            }
            case 1 -> {
                tried.call = "retry limit " + number;
                tried.breaks(number < -1, 2006);
                tried.tr.options().setRetryLimit(number);
            }
            case 2 -> {
                tried.call = "retry delay " + number;
                tried.breaks(number < 0, 2006);
                tried.tr.options().setMaxRetryDelay(number);
            }
            default -> {
                long limit = number == 0 ? 31 : number == 1 ? 10_000_001 : 1_000;
                tried.call = "size limit " + limit;
                tried.breaks(limit != 1_000, 2006);
                tried.tr.options().setSizeLimit(limit);
            }
        }
    }

    @Test
    void aDatabaseHasNoMoreWatchesThanItMayAndACancelledOneMakesRoom() throws Exception {
        int most = 10;
        database.options().setMaxWatches(most);
        List<CompletableFuture<Void>> watches = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            byte[] key = {1, (byte) i};
            watches.add(database.run(tr -> tr.watch(key)));
        }
        assertThat(codeOf(() -> watchAndCommit(new byte[] {2}))).isEqualTo(1032);
        watches.getFirst().cancel(true);
        CompletableFuture<Void> instead = database.run(tr -> tr.watch(new byte[] {2}));
        assertThat(codeOf(() -> watchAndCommit(new byte[] {3}))).isEqualTo(1032);
        database.run(tr -> {
            tr.set(new byte[] {2}, new byte[] {1});
            tr.set(new byte[] {1, 1}, new byte[] {1});
            return null;
        });
        instead.get(60, TimeUnit.SECONDS);
        watches.get(1).get(60, TimeUnit.SECONDS);
        assertThat(watches.get(2)).isNotDone();
    }

    /** The watch; too many of them are no reason for the commit to fail. */
    private CompletableFuture<Void> watchAndCommit(byte[] key) {
        return database.run(tr -> tr.watch(key));
    }

    @Test
    void theNumberOfWatchesHasLimitsOfItsOwn() {
        for (long most : new long[] {-1, 1_000_001}) {
            assertThat(codeOf(() -> {
                        database.options().setMaxWatches(most);
                        return CompletableFuture.completedFuture(null);
                    }))
                    .isEqualTo(2006);
        }
    }
}
