/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.engine.EngineSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data of many times the memory that they may take are written, read, cleared, backed up and found again. */
class LargerThanMemoryTest {

    private static final int KEYS = 20_000;
    private static final int PER_TRANSACTION = 200;
    private static final EngineSettings SMALL = new EngineSettings(50_000, 1 << 20, 1 << 20, 1 << 20);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        environment.close();
    }

    private EmbeddedStore open(String name) {
        return EmbeddedStore.open(new EmbeddedOptions(directory.resolve(name), false, SMALL), environment);
    }

    private static byte[] key(int number) {
        return Tuple.from("data", number).pack();
    }

    private void write(Database database, Random random, int transactions) {
        for (int i = 0; i < transactions; i++) {
            TreeMap<byte[], byte[]> writes = new TreeMap<>(Arrays::compareUnsigned);
            for (int j = 0; j < PER_TRANSACTION; j++) {
                byte[] value = new byte[500];
                random.nextBytes(value);
                writes.put(key(random.nextInt(KEYS)), value);
            }
            database.run(tr -> {
                writes.forEach(tr::set);
                return null;
            });
            model.putAll(writes);
        }
    }

    private void clear(Database database, int from, int to) {
        database.run(tr -> {
            tr.clear(key(from), key(to));
            return null;
        });
        model.subMap(key(from), key(to)).clear();
    }

    private void check(Database database) {
        byte[] next = key(0);
        int found = 0;
        while (true) {
            byte[] from = next;
            List<KeyValue> rows = database.read(
                    tr -> tr.getRange(from, key(KEYS), 1000).asList().join());
            for (KeyValue row : rows) {
                assertThat(row.getValue()).isEqualTo(model.get(row.getKey()));
            }
            found += rows.size();
            if (rows.size() < 1000) {
                break;
            }
            next = com.apple.foundationdb.tuple.ByteArrayUtil.join(
                    rows.getLast().getKey(), new byte[1]);
        }
        assertThat(found).isEqualTo(model.size());
        long bytes = model.entrySet().stream()
                .mapToLong((Map.Entry<byte[], byte[]> entry) -> entry.getKey().length + entry.getValue().length)
                .sum();
        long estimate = database.read(
                tr -> tr.getEstimatedRangeSizeBytes(key(0), key(KEYS)).join());
        assertThat(estimate).isEqualTo(bytes);
    }

    private static void backup(EmbeddedStore store, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            store.backup(channel).join();
        }
    }

    /** As a checkpoint leaves them that was killed before its root was there. */
    private void leaveUnfinishedPages() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("store"))) {
            long last = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".pages"))
                    .mapToLong(StoreState::numberOf)
                    .max()
                    .orElseThrow();
            for (long number = last + 1; number < last + 4; number++) {
                Files.write(directory.resolve("store").resolve("000001-%08x.pages".formatted(number)), new byte[9]);
            }
        }
    }

    @Test
    void dataOfManyTimesTheMemoryAreWrittenReadClearedBackedUpAndFoundAgain() throws IOException {
        Random random = new Random(11);
        Path backup = directory.resolve("backup");
        try (EmbeddedStore store = open("store")) {
            Database database = store.database();
            write(database, random, 150);
            check(database);
            clear(database, 2_000, 9_000);
            write(database, random, 50);
            check(database);
            backup(store, backup);
        }
        leaveUnfinishedPages();
        try (EmbeddedStore store = open("store")) {
            check(store.database());
        }
        EmbeddedStore.restore(backup, directory.resolve("other"), environment);
        try (EmbeddedStore store = open("other")) {
            check(store.database());
            assertThat(store.generation()).isGreaterThan(1);
        }
    }
}
