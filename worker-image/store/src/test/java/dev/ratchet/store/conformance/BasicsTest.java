/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.EventKeeper;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.LocalityUtil;
import com.apple.foundationdb.MapEventKeeper;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Tenant;
import com.apple.foundationdb.TenantManagement;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.CloseableAsyncIterator;
import com.apple.foundationdb.directory.DirectoryLayer;
import com.apple.foundationdb.directory.DirectorySubspace;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The simplest promises of a database, one by one. */
class BasicsTest {

    private final Database database = new EmbeddedDatabaseSupplier().get();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatOneTransactionSetsTheNextReads() {
        database.run(tr -> {
            tr.set(bytes("a"), bytes("1"));
            return null;
        });
        byte[] value = database.read(tr -> tr.get(bytes("a")).join());
        assertThat(value).isEqualTo(bytes("1"));
    }

    @Test
    void aCommitThatReadWhatAnotherWroteConflicts() {
        Transaction reader = database.createTransaction();
        reader.get(bytes("a")).join();
        reader.set(bytes("b"), bytes("2"));
        database.run(tr -> {
            tr.set(bytes("a"), bytes("1"));
            return null;
        });
        assertThatThrownBy(() -> reader.commit().join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        FDBException.class, e -> assertThat(e.getCode()).isEqualTo(1020));
    }

    @Test
    void oneHundredConcurrentIncrementsAreAllCounted() {
        CompletableFuture<?>[] all = new CompletableFuture<?>[100];
        for (int i = 0; i < all.length; i++) {
            all[i] = database.runAsync(tr -> tr.get(bytes("n")).thenApply(value -> {
                long n = value == null ? 0 : ByteArrayUtil.decodeInt(value);
                tr.set(bytes("n"), ByteArrayUtil.encodeInt(n + 1));
                return n;
            }));
        }
        CompletableFuture.allOf(all).join();
        assertThat(ByteArrayUtil.decodeInt(
                        database.read(tr -> tr.get(bytes("n")).join())))
                .isEqualTo(100);
    }

    @Test
    void aWatchFiresWhenItsKeyChanges() throws Exception {
        CompletableFuture<Void> watch = database.run(tr -> tr.watch(bytes("w")));
        assertThat(watch).isNotDone();
        database.run(tr -> {
            tr.mutate(MutationType.ADD, bytes("w"), new byte[] {1});
            return null;
        });
        watch.get(60, TimeUnit.SECONDS);
    }

    @Test
    void aWatchThatIsCancelledIsForgotten() throws Exception {
        CompletableFuture<Void> kept = database.run(tr -> tr.watch(bytes("w")));
        CompletableFuture<Void> cancelled = database.run(tr -> tr.watch(bytes("w")));
        await().atMost(1, TimeUnit.MINUTES).until(() -> watches() == 2);
        cancelled.cancel(true);
        await().atMost(1, TimeUnit.MINUTES).until(() -> watches() == 1);
        assertThat(kept).isNotDone();
    }

    private int watches() throws IOException {
        byte[] key = ByteArrayUtil.join(new byte[] {(byte) 0xff, (byte) 0xff}, bytes("/status/json"));
        byte[] status = database.read(tr -> tr.get(key).join());
        return new ObjectMapper()
                .readTree(status)
                .at("/cluster/ratchet/watches")
                .asInt();
    }

    @Test
    void theDirectoryLayerAllocatesUniquePrefixes() {
        DirectoryLayer layer = new DirectoryLayer();
        Set<List<Byte>> prefixes = new HashSet<>();
        CompletableFuture<?>[] all = new CompletableFuture<?>[50];
        for (int i = 0; i < all.length; i++) {
            List<String> path = List.of("app", "d" + i);
            all[i] = database.runAsync(tr -> layer.createOrOpen(tr, path));
        }
        for (CompletableFuture<?> future : all) {
            byte[] prefix = ((DirectorySubspace) future.join()).pack(Tuple.from());
            prefixes.add(com.google.common.primitives.Bytes.asList(prefix));
        }
        assertThat(prefixes).hasSize(all.length);
        List<String> listed = database.run(tr -> layer.list(tr, List.of("app")).join());
        assertThat(listed).hasSize(all.length);
    }

    @Test
    void rangesSeeOwnWritesInOrder() {
        database.run(tr -> {
            for (int i = 0; i < 2000; i++) {
                tr.set(Tuple.from("r", i).pack(), bytes("v" + i));
            }
            return null;
        });
        database.run(tr -> {
            tr.clear(Tuple.from("r", 10).pack(), Tuple.from("r", 1990).pack());
            tr.set(Tuple.from("r", 500).pack(), bytes("own"));
            List<Long> found = tr.getRange(Tuple.from("r").range()).asList().join().stream()
                    .map(row -> Tuple.fromBytes(row.getKey()).getLong(1))
                    .toList();
            assertThat(found).hasSize(21).startsWith(0L, 1L, 2L).contains(500L).endsWith(1998L, 1999L);
            return null;
        });
    }

    @Test
    void optionsOfTheDatabaseAreThoseOfItsTransactionsByTheirOwnCodes() {
        database.options().setTransactionReportConflictingKeys();
        database.options().setTransactionBypassUnreadable();
        database.options().setTransactionAutomaticIdempotency();
        database.options().setSnapshotRywDisable();
        database.run(tr -> {
            tr.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, bytes("stamped"), new byte[14]);
            assertThat(tr.get(bytes("stamped")).join()).as("unreadable").isNotNull();
            tr.set(bytes("own"), bytes("1"));
            assertThat(tr.snapshot().get(bytes("own")).join())
                    .as("own write by snapshot")
                    .isNull();
            return null;
        });
        assertThatThrownBy(() -> database.options().getOptionConsumer().setOption(99_999, null))
                .isInstanceOfSatisfying(
                        FDBException.class, e -> assertThat(e.getCode()).isEqualTo(2007));
    }

    @Test
    void aKeeperOfEventsIsToldWhatReadsFetchAndOfNoNativeCall() {
        MapEventKeeper keeper = new MapEventKeeper();
        try (Transaction tr = database.createTransaction(database.getExecutor(), keeper)) {
            tr.set(bytes("k1"), bytes("12345"));
            tr.set(bytes("k2"), bytes("6"));
            assertThat(tr.get(bytes("k1")).join()).isNotNull();
            assertThat(tr.get(bytes("none")).join()).isNull();
            assertThat(keeper.getCount(EventKeeper.Events.BYTES_FETCHED)).isEqualTo(5);
            assertThat(tr.getRange(bytes("k"), bytes("l")).asList().join()).hasSize(2);
            assertThat(keeper.getCount(EventKeeper.Events.BYTES_FETCHED)).isEqualTo(5 + 7 + 3);
            assertThat(keeper.getCount(EventKeeper.Events.RANGE_QUERY_RECORDS_FETCHED))
                    .isEqualTo(2);
            assertThat(keeper.getCount(EventKeeper.Events.RANGE_QUERY_FETCHES)).isEqualTo(1);
            assertThat(keeper.getCount(EventKeeper.Events.JNI_CALL)).isZero();
        }
    }

    @Test
    void aLargeScanCanBeCutAtBoundaryKeys() {
        try (CloseableAsyncIterator<byte[]> boundaries =
                LocalityUtil.getBoundaryKeys(database, new byte[0], new byte[] {(byte) 0xff})) {
            assertThat(boundaries.hasNext()).isTrue();
            assertThat(boundaries.next()).isEmpty();
            assertThat(boundaries.hasNext()).isFalse();
        }
    }

    @Test
    void tenantsAreDisabledAndNullsAreIllegal() {
        assertThatThrownBy(() ->
                        TenantManagement.createTenant(database, bytes("t")).join())
                .hasCauseInstanceOf(FDBException.class)
                .cause()
                .extracting(e -> ((FDBException) e).getCode())
                .isEqualTo(2136);
        try (Transaction tr = database.createTransaction()) {
            assertThatIllegalArgumentException().isThrownBy(() -> tr.getEstimatedRangeSizeBytes(null, bytes("b")));
            assertThatIllegalArgumentException().isThrownBy(() -> tr.getRangeSplitPoints(null, bytes("b"), 10));
        }
    }

    @Test
    void noMethodOfBlobGranulesIsOfferedAndTenantsNeitherReadNorWrite() throws Exception {
        int tried = 0;
        for (Class<?> type : List.of(Database.class, Tenant.class)) {
            Object target = type == Database.class ? database : database.openTenant(bytes("t"));
            for (Method method : type.getMethods()) {
                if (method.getName().matches(".*([Bb]lob|Granules).*")) {
                    CompletableFuture<?> answer = (CompletableFuture<?>) method.invoke(target, arguments(method));
                    assertThat(codeOf(answer::join)).as(method.toString()).isEqualTo(2108);
                    tried++;
                }
            }
        }
        assertThat(tried).isGreaterThanOrEqualTo(16);
        try (Transaction tr = database.createTransaction()) {
            assertThat(codeOf(() ->
                            tr.getBlobGranuleRanges(bytes("a"), bytes("b"), 10).join()))
                    .isEqualTo(2108);
        }
        Tenant tenant = database.openTenant(Tuple.from("t"));
        assertThat(codeOf(tenant::createTransaction)).isEqualTo(2136);
        assertThat(codeOf(() -> tenant.run(tr -> 1))).isEqualTo(2136);
        assertThat(codeOf(() -> tenant.readAsync(tr -> tr.get(bytes("a"))).join()))
                .isEqualTo(2136);
        assertThat(codeOf(() -> tenant.getId().join())).isEqualTo(2136);
    }

    private Object[] arguments(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(type -> type == byte[].class
                        ? bytes("k")
                        : type == long.class
                                ? (Object) 1L
                                : type == int.class
                                        ? (Object) 1
                                        : type == boolean.class ? true : (Object) database.getExecutor())
                .toArray();
    }

    private static int codeOf(Runnable call) {
        try {
            call.run();
            return 0;
        } catch (FDBException thrown) {
            return thrown.getCode();
        } catch (CompletionException failed) {
            return ((FDBException) failed.getCause()).getCode();
        }
    }

    @Test
    void aLockedDatabaseIsReadAndWrittenByThoseWhoKnowOfTheLockAlone() {
        byte[] lock = ByteArrayUtil.join(new byte[] {(byte) 0xff}, bytes("/dbLocked"));
        assertThat(write(tr -> {
                    tr.options().setLockAware();
                    tr.options().setAccessSystemKeys();
                    tr.set(lock, bytes("by whom"));
                }))
                .isZero();
        assertThat(write(tr -> tr.set(bytes("a"), bytes("1")))).as("blind").isEqualTo(1038);
        assertThat(write(tr -> tr.getReadVersion().join())).isEqualTo(1038);
        assertThat(write(tr -> {
                    tr.options().setReadLockAware();
                    tr.get(bytes("a")).join();
                }))
                .as("only reads")
                .isZero();
        assertThat(write(tr -> {
                    tr.options().setReadLockAware();
                    tr.set(bytes("a"), bytes("1"));
                }))
                .isEqualTo(2023);
        assertThat(write(tr -> {
                    tr.options().setLockAware();
                    tr.options().setAccessSystemKeys();
                    tr.clear(lock);
                }))
                .isZero();
        assertThat(write(tr -> tr.set(bytes("a"), bytes("1")))).isZero();
    }

    private int write(Consumer<Transaction> writes) {
        try (Transaction tr = database.createTransaction()) {
            return codeOf(() -> {
                writes.accept(tr);
                tr.commit().join();
            });
        }
    }

    @Test
    void theVersionOfMetadataIsTheStampOfWhoChangedItLastAndEverybodyReadsIt() {
        byte[] key = ByteArrayUtil.join(new byte[] {(byte) 0xff}, bytes("/metadataVersion"));
        byte[] stamp = database.run(tr -> {
                    tr.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key, new byte[14]);
                    return tr.getVersionstamp();
                })
                .join();
        byte[] read = database.read(tr -> tr.get(key).join());
        assertThat(read).isEqualTo(stamp);
    }

    @Test
    void specialKeysTellOfTheDatabaseModuleByModule() throws Exception {
        byte[] special = {(byte) 0xff, (byte) 0xff};
        byte[] status = database.read(
                tr -> tr.get(ByteArrayUtil.join(special, bytes("/status/json"))).join());
        assertThat(new ObjectMapper().readTree(status).isObject()).isTrue();
        byte[] connection = database.read(tr ->
                tr.get(ByteArrayUtil.join(special, bytes("/connection_string"))).join());
        assertThat(connection).isNotEmpty();
        byte[] begin = ByteArrayUtil.join(special, bytes("/transaction/"));
        byte[] end = ByteArrayUtil.join(special, bytes("/worker_interfaces0"));
        assertThat(write(tr -> tr.getRange(begin, end).asList().join()))
                .as("across modules")
                .isEqualTo(2112);
        assertThat(write(tr -> {
                    tr.options().setSpecialKeySpaceRelaxed();
                    tr.getRange(begin, end).asList().join();
                }))
                .isZero();
    }

    @Test
    void aBoundThatIsLongerThanAnyKeyLiesBehindTheLongestKeyThatBeginsIt() {
        byte[] longest = new byte[10_008];
        byte[] bound = new byte[12_000];
        assertThat(conflicts(longest, new byte[0], bound)).isTrue();
        assertThat(conflicts(longest, bound, new byte[] {1})).isFalse();
        database.run(tr -> {
            tr.clear(bound, new byte[] {1});
            return null;
        });
        byte[] kept = database.read(tr -> tr.get(longest).join());
        assertThat(kept).isNotNull();
        database.run(tr -> {
            tr.clear(new byte[0], bound);
            return null;
        });
        byte[] cleared = database.read(tr -> tr.get(longest).join());
        assertThat(cleared).isNull();
    }

    /** Whether a transaction that depends on a range is refused after a write to a key, which may have any length. */
    private boolean conflicts(byte[] key, byte[] begin, byte[] end) {
        return write(tr -> {
                    tr.getReadVersion().join();
                    tr.addReadConflictRange(begin, end);
                    tr.addWriteConflictKey(bytes("written"));
                    database.run(other -> {
                        other.options().setRawAccess();
                        other.set(key, new byte[0]);
                        return null;
                    });
                })
                == 1020;
    }

    @Test
    void partsOfARangeEndBetweenEntriesHoweverSmallTheyAreWanted() {
        database.run(tr -> {
            tr.set(bytes("p1"), new byte[1000]);
            tr.set(bytes("p2"), new byte[10]);
            tr.set(bytes("p3"), new byte[2000]);
            return null;
        });
        for (long chunkBytes : new long[] {-1, 0, 1, 10, 500}) {
            assertThat(splitPoints(chunkBytes))
                    .as("%d bytes", chunkBytes)
                    .startsWith("p")
                    .endsWith("q")
                    .contains("p3");
        }
        assertThat(splitPoints(0)).containsExactly("p", "p1", "p2", "p3", "q");
        assertThat(splitPoints(Long.MAX_VALUE)).containsExactly("p", "q");
    }

    private List<String> splitPoints(long chunkBytes) {
        return database
                .read(tr -> tr.getRangeSplitPoints(bytes("p"), bytes("q"), chunkBytes)
                        .join())
                .getKeys()
                .stream()
                .map(key -> new String(key, StandardCharsets.UTF_8))
                .toList();
    }
}
