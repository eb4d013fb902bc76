/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.Limits;
import dev.ratchet.store.transaction.VersionstampPlaces;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Crashes a recorded run at every write and sync that it makes. Afterwards whatever was acknowledged is there, nothing
 * is there by half, versions go on rising and no versionstamp comes twice, and so after the next crash.
 */
class CrashTest {

    private static final int ROUNDS = 12;
    private static final int CLIENTS = 4;
    /** The first commits are so large that the log goes on in a second file. */
    private static final int LARGE_COMMITS = 12;

    private static final int LARGE_BYTES = 95_000;
    /** Of a write another part is left each time. */
    private static final int CRASHES_PER_WRITE = Integer.getInteger("ratchet.seeds", 1);

    /** Of the data nearly nothing stays in memory, and a checkpoint is due all the time. */
    private static final long LITTLE_MEMORY = 20_000;
    /** No checkpoint is due, so that the log alone holds what was acknowledged. */
    private static final long MUCH_MEMORY = 64 << 20;

    /** A life of the store, driven by hand: rounds of concurrent commits, with a snapshot in the middle. */
    private static final class Life {
        private final SteppedEnvironment environment;
        private final StoreDirectory store;
        private final Database database;
        private final Map<Long, Long> acknowledged = new HashMap<>();
        private long newestVersion;

        Life(CrashingDisk disk, long seed) {
            this(disk, seed, LITTLE_MEMORY);
        }

        Life(CrashingDisk disk, long seed, long dataBytesMax) {
            environment = new SteppedEnvironment(seed);
            store = StoreDirectory.open(
                    disk,
                    environment.executor(),
                    environment,
                    new EngineSettings(Limits.WINDOW_VERSIONS, 1 << 20, 1 << 20, dataBytesMax));
            database = new ConnectionDatabase(store.engine(), environment);
        }

        /** Each commit writes two keys and a stamp: half of one would show. */
        void work(long from) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int client = 0; client < CLIENTS; client++) {
                    long id = from + (long) round * CLIENTS + client;
                    commit(id).thenAccept(version -> {
                        acknowledged.put(id, version);
                        newestVersion = Math.max(newestVersion, version);
                    });
                }
                if (round == ROUNDS / 2) {
                    store.checkpoint();
                }
                environment.runAll();
            }
        }

        private CompletableFuture<Long> commit(long id) {
            Transaction tr = database.createTransaction();
            tr.set(Tuple.from("a", id).pack(), Tuple.from(id).pack());
            tr.clear(Tuple.from("a", id - 3).pack(), Tuple.from("a", id - 2).pack());
            tr.set(Tuple.from("b", id).pack(), value(id));
            tr.mutate(
                    MutationType.SET_VERSIONSTAMPED_KEY,
                    VersionstampPlaces.pack(new byte[0], List.of("s"), 0, List.of(id)),
                    new byte[0]);
            return tr.commit().thenApply(nothing -> tr.getCommittedVersion());
        }

        private static byte[] value(long id) {
            return ByteBuffer.allocate(Long.BYTES + (id < LARGE_COMMITS ? LARGE_BYTES : 0))
                    .putLong(id)
                    .array();
        }

        List<KeyValue> rows(String prefix) {
            CompletableFuture<List<KeyValue>> rows = database.createTransaction()
                    .getRange(Tuple.from(prefix).range())
                    .asList();
            environment.runAll();
            return rows.join();
        }

        long readVersion() {
            CompletableFuture<Long> version = database.createTransaction().getReadVersion();
            environment.runAll();
            return version.join();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {LITTLE_MEMORY, MUCH_MEMORY})
    void acknowledgedCommitsSurviveACrashAtEveryWriteAndNothingIsThereByHalf(long dataBytesMax) {
        CrashingDisk whole = new CrashingDisk(1);
        new Life(whole, 1, dataBytesMax).work(0);
        int writes = whole.writes();
        assertThat(writes).isGreaterThan(30);
        assertThat(whole.list()).as("a second file of the log").contains("000001-000000000002.log");
        for (int crashAt = 1; crashAt <= writes; crashAt++) {
            for (int crash = 0; crash < CRASHES_PER_WRITE; crash++) {
                crash(crashAt, crashAt + 1000L * crash, dataBytesMax);
            }
        }
    }

    private static void crash(int crashAt, long seed, long dataBytesMax) {
        CrashingDisk disk = new CrashingDisk(seed);
        disk.failFrom(crashAt);
        Life first = null;
        try {
            first = new Life(disk, seed, dataBytesMax);
            first.work(0);
        } catch (StoreDirectoryException e) {
            assertThat(crashAt).as("only the first writes happen while opening").isLessThan(10);
        }
        // The process alone, or the machine; from then on always the machine.
        CrashingDisk left = new SplittableRandom(seed).nextBoolean() ? disk.afterCrash() : disk.afterKill();
        Life second = new Life(left, seed + 1_000_000L, dataBytesMax);
        check(crashAt, first, second);
        CrashingDisk leftAgain = left.afterCrash();
        Life third = new Life(leftAgain, seed + 2_000_000L, dataBytesMax);
        assertThat(third.rows("b")).as("what the second life has shown").containsAll(second.rows("b"));
        check(crashAt, first, third);
        long before = third.readVersion();
        third.work(10_000);
        assertThat(third.acknowledged)
                .as("crash at write %d, seed %d", crashAt, seed)
                .hasSize(ROUNDS * CLIENTS);
        assertThat(third.acknowledged.values()).allMatch(version -> version > before);
        Life fourth = new Life(leftAgain.afterCrash(), seed + 3_000_000L, dataBytesMax);
        check(crashAt, third, fourth);
        checkStampsAreUnique(fourth);
    }

    private static void check(int crashAt, Life first, Life second) {
        Map<Long, Long> acknowledged = first == null ? Map.of() : first.acknowledged;
        Set<Long> found = new HashSet<>();
        second.rows("b").forEach(row -> {
            long id = Tuple.fromBytes(row.getKey()).getLong(1);
            assertThat(row.getValue()).as("crash at write %d", crashAt).isEqualTo(Life.value(id));
            found.add(id);
        });
        assertThat(found).as("crash at write %d", crashAt).containsAll(acknowledged.keySet());
        Set<Long> stamped = new HashSet<>();
        second.rows("s")
                .forEach(row -> stamped.add(Tuple.fromBytes(row.getKey()).getLong(2)));
        assertThat(stamped).as("crash at write %d", crashAt).isEqualTo(found);
        if (first != null) {
            assertThat(second.readVersion()).isGreaterThan(first.newestVersion);
        }
    }

    private static void checkStampsAreUnique(Life life) {
        List<KeyValue> stamps = life.rows("s");
        Set<String> distinct = new HashSet<>();
        stamps.forEach(row ->
                distinct.add(Tuple.fromBytes(row.getKey()).getVersionstamp(1).toString()));
        assertThat(distinct).hasSameSizeAs(stamps);
    }

    @Test
    void aDiskThatFillsUpStopsWritesWithOneClearErrorAndLosesNothing() {
        CrashingDisk disk = new CrashingDisk(7);
        Life life = new Life(disk, 7);
        life.work(0);
        disk.failFrom(disk.writes() + 1);
        CompletableFuture<Long> unknown = life.commit(500);
        life.environment.runAll();
        assertThatThrownBy(unknown::join).cause().hasMessageContaining("may or may not have committed");
        CompletableFuture<Long> refused = life.commit(501);
        life.environment.runAll();
        assertThatThrownBy(refused::join)
                .cause()
                .hasMessageContaining("The store has stopped writing")
                .hasMessageContaining("No space left on device")
                .hasMessageContaining("Make room");
        disk.failFrom(Integer.MAX_VALUE);
        Life after = new Life(disk.afterCrash(), 8);
        check(0, life, after);
    }

    @Test
    void aDirectoryThatIsFoundDamagedStaysAsItIs() {
        CrashingDisk whole = new CrashingDisk(1);
        new Life(whole, 1).work(0);
        int told = 0;
        for (int crashAt = 10; crashAt <= whole.writes(); crashAt++) {
            CrashingDisk disk = new CrashingDisk(crashAt);
            disk.failFrom(crashAt);
            new Life(disk, crashAt).work(0);
            CrashingDisk damaged = disk.afterCrash();
            damaged.flipAnyOf(damaged.list().stream()
                    .filter(name -> !name.endsWith(".pages"))
                    .toList());
            String before = damaged.content();
            try {
                new Life(damaged, crashAt);
            } catch (StoreDirectoryException e) {
                assertThat(e).hasMessageContaining("damaged").hasMessageContaining("Nothing was changed");
                assertThat(damaged.content())
                        .as("crash at write %d: %s", crashAt, e)
                        .isEqualTo(before);
                told++;
            }
        }
        assertThat(told).isGreaterThan(whole.writes() / 4);
    }

    @Test
    void everyFlippedBitOfTheLogIsToldOrBelongsToATornEnd() {
        CrashingDisk disk = new CrashingDisk(3);
        Life life = new Life(disk, 3);
        life.work(0);
        List<KeyValue> committed = life.rows("b");
        String log = disk.list().stream()
                .filter(name -> name.endsWith(".log") && disk.length(name) > 0)
                .reduce((first, second) -> second)
                .orElseThrow();
        int told = 0;
        int length = disk.length(log);
        for (int position = 0; position < length; position += 29) {
            CrashingDisk damaged = disk.afterCrash();
            damaged.flip(log, position);
            try {
                Life second = new Life(damaged, 4);
                // Cut as a torn end: it may only lack the last group, which no later one has vouched for.
                assertThat(second.rows("b"))
                        .isSubsetOf(committed)
                        .hasSizeGreaterThanOrEqualTo(committed.size() - CLIENTS);
            } catch (StoreDirectoryException e) {
                assertThat(e).hasMessageContaining("is damaged at byte");
                told++;
            }
        }
        assertThat(told).isGreaterThan(length / 29 * 3 / 4);
    }
}
