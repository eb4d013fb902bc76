/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.security.LogLines;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in a directory of the file system, from opening to restoring. */
class EmbeddedStoreTest {

    private final SystemEnvironment environment = new SystemEnvironment();
    /** By how much the clock of a restore is ahead. */
    private long aheadMillis;

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        environment.close();
    }

    private EmbeddedStore open() {
        return EmbeddedStore.open(EmbeddedOptions.in(directory.resolve("store")), environment);
    }

    private static void set(Database database, int key, int value) {
        database.run(tr -> {
            tr.set(Tuple.from(key).pack(), Tuple.from(value).pack());
            return null;
        });
    }

    private static long get(Database database, int key) {
        byte[] value = database.read(tr -> tr.get(Tuple.from(key).pack()).join());
        return value == null ? -1 : Tuple.fromBytes(value).getLong(0);
    }

    private static long readVersion(Database database) {
        return database.read(tr -> tr.getReadVersion().join());
    }

    @Test
    void whatWasCommittedIsThereAfterARestartAndVersionsGoOn() {
        long version;
        try (EmbeddedStore store = open()) {
            Database database = store.database();
            for (int i = 0; i < 100; i++) {
                set(database, i, i * 7);
            }
            version = readVersion(database);
        }
        try (EmbeddedStore store = open()) {
            Database database = store.database();
            assertThat(get(database, 42)).isEqualTo(294);
            assertThat(readVersion(database)).isGreaterThan(version);
        }
    }

    @Test
    void aSecondOpeningIsRefusedAndChangesNothing() {
        try (EmbeddedStore store = open()) {
            set(store.database(), 1, 1);
            assertThatThrownBy(this::open)
                    .isInstanceOf(StoreDirectoryException.class)
                    .hasMessageContaining("in use by another process");
            set(store.database(), 2, 2);
        }
        try (EmbeddedStore store = open()) {
            assertThat(get(store.database(), 2)).isEqualTo(2);
        }
    }

    @Test
    void aRestoreBringsBackTheBackupUnderTheNextGenerationWithHigherVersions() {
        Path backup = directory.resolve("backup");
        long version;
        try (EmbeddedStore store = open()) {
            Database database = store.database();
            set(database, 1, 1);
            backup(store, backup);
            set(database, 1, 2);
            version = readVersion(database);
            assertThat(store.generation()).isEqualTo(1);
        }
        assertThat(restore(backup, "store")).isGreaterThan(1);
        try (EmbeddedStore store = open()) {
            Database database = store.database();
            assertThat(get(database, 1)).isEqualTo(1);
            assertThat(store.generation()).isGreaterThan(1);
            assertThat(readVersion(database)).isGreaterThan(version);
        }
    }

    @Test
    void aBackupRestoredTwiceGivesNoGenerationAndNoVersionTwice() {
        Path backup = directory.resolve("backup");
        try (EmbeddedStore store = open()) {
            set(store.database(), 1, 1);
            backup(store, backup);
        }
        long generation = restore(backup, "first");
        long version;
        try (EmbeddedStore store = EmbeddedStore.open(EmbeddedOptions.in(directory.resolve("first")), environment)) {
            set(store.database(), 1, 2);
            version = readVersion(store.database());
        }
        aheadMillis = 5_000;
        assertThat(restore(backup, "second")).isGreaterThan(generation);
        try (EmbeddedStore store = EmbeddedStore.open(EmbeddedOptions.in(directory.resolve("second")), environment)) {
            assertThat(readVersion(store.database())).isGreaterThan(version);
        }
    }

    @Test
    void aBackupWhoseTargetFailsIsToldAndTheNextOneSucceeds() {
        try (EmbeddedStore store = open()) {
            set(store.database(), 1, 1);
            Pipe.SinkChannel closed = closedPipe();
            assertThatThrownBy(() -> store.backup(closed).join()).hasMessageContaining("Writing the backup failed");
            backup(store, directory.resolve("backup"));
            assertThat(directory.resolve("backup")).isNotEmptyFile();
        }
    }

    @Test
    void oneBackupIsTakenAtATime() throws IOException {
        Pipe pipe = Pipe.open();
        try (EmbeddedStore store = open()) {
            for (int i = 0; i < 20; i++) {
                int number = i;
                // More than a pipe holds, so that the first backup waits for its reader.
                store.database().run(tr -> {
                    tr.set(Tuple.from(number).pack(), new byte[50_000]);
                    return null;
                });
            }
            CompletableFuture<Long> first = store.backup(pipe.sink());
            assertThatThrownBy(() -> store.backup(pipe.sink()).join()).hasMessageContaining("Another backup");
            ByteBuffer taken = ByteBuffer.allocate(1 << 16);
            pipe.source().configureBlocking(false);
            while (!first.isDone()) {
                taken.clear();
                pipe.source().read(taken);
                Thread.onSpinWait();
            }
            assertThat(first.join()).isPositive();
            backup(store, directory.resolve("next"));
        }
    }

    private static Pipe.SinkChannel closedPipe() {
        try {
            Pipe pipe = Pipe.open();
            pipe.sink().close();
            return pipe.sink();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void backup(EmbeddedStore store, Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            store.backup(channel).join();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private long restore(Path backup, String name) {
        return EmbeddedStore.restore(backup, directory.resolve(name), new Ahead());
    }

    @Test
    void anOpenStoreCanNotBeRestored() {
        Path backup = directory.resolve("backup");
        try (EmbeddedStore store = open()) {
            backup(store, backup);
            assertThatThrownBy(() -> restore(backup, "store")).hasMessageContaining("in use by another process");
        }
    }

    @Test
    void aFlippedByteThatWasDurableOnceIsToldAndNothingIsChanged() throws IOException {
        try (EmbeddedStore store = open()) {
            for (int i = 0; i < 20; i++) {
                set(store.database(), i, i);
            }
        }
        Path log = logs().getLast();
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 1;
        Files.write(log, bytes);
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreDirectoryException.class)
                .hasMessageContaining("is damaged at byte");
        assertThat(Files.readAllBytes(log)).isEqualTo(bytes);
    }

    @Test
    void aDirectoryOfAnotherFormatIsRefusedWithBothVersions() throws IOException {
        try (EmbeddedStore store = open()) {
            set(store.database(), 1, 1);
        }
        DirectoryDisk disk = new DirectoryDisk(directory.resolve("store"), true);
        new StoreState(9, 1, 1, 1).write(disk);
        disk.close();
        assertThatThrownBy(this::open).hasMessageContaining("has format 9, and this release reads 1 to 2");
    }

    @Test
    void aDirectoryThatIsNoStoreIsLeftAlone() throws IOException {
        Path foreign = Files.createDirectories(directory.resolve("store")).resolve("photo.jpg");
        Files.writeString(foreign, "cat");
        assertThatThrownBy(this::open).hasMessageContaining("it is not a store");
        assertThat(Files.readString(foreign)).isEqualTo("cat");
        assertThat(foreign.resolveSibling("LOCK")).doesNotExist();
    }

    @Test
    void aDirectoryThatCanNotBeMadeIsOneClearError() throws IOException {
        Files.writeString(directory.resolve("store"), "a file");
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreDirectoryException.class)
                .hasMessageContaining("is no directory)")
                .hasMessageContaining("nothing was changed");
        assertThat(directory.resolve("store")).hasContent("a file");
    }

    @Test
    void whereNoDirectoryCanBeMadeTheErrorSaysWhy() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "a file");
        assertThatThrownBy(() -> new DirectoryDisk(file.resolve("store"), true))
                .hasMessageContaining("store: Not a directory); nothing was changed. Choose another directory");
        assertThatThrownBy(() -> new DirectoryDisk(Path.of("/proc/store"), true))
                .hasMessageContaining("/proc/store can not be made in this file system");
    }

    @Test
    void aDirectoryThatCanNotBeWrittenIsOneClearErrorAndStaysAsItIs() throws IOException {
        try (EmbeddedStore store = open()) {
            set(store.database(), 1, 1);
        }
        Path store = directory.resolve("store");
        Files.delete(store.resolve("LOCK"));
        Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("r-x------"));
        try {
            Assumptions.assumeFalse(Files.isWritable(store), "root may write anywhere");
            assertThatThrownBy(this::open)
                    .isInstanceOf(StoreDirectoryException.class)
                    .hasMessageContaining("can not be written; nothing was changed");
        } finally {
            Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aDamagedPageIsToldWhereItIsReadAndTheRestIsServed() throws IOException {
        try (EmbeddedStore store = open()) {
            for (int i = 0; i < 2000; i++) {
                int key = i;
                store.database().run(tr -> {
                    tr.set(Tuple.from(key).pack(), new byte[100]);
                    return null;
                });
            }
            Path backup = directory.resolve("backup");
            backup(store, backup);
        }
        restore(directory.resolve("backup"), "paged");
        Path pages = directory.resolve("paged").resolve("000002-00000001.pages");
        byte[] bytes = Files.readAllBytes(pages);
        bytes[100] ^= 1;
        Files.write(pages, bytes);
        try (EmbeddedStore store = EmbeddedStore.open(EmbeddedOptions.in(directory.resolve("paged")), environment)) {
            byte[] sound =
                    store.database().read(tr -> tr.get(Tuple.from(1500).pack()).join());
            assertThat(sound).hasSize(100);
            assertThatThrownBy(() -> store.database()
                            .read(tr -> tr.get(Tuple.from(0).pack()).join()))
                    .hasMessageContaining("can not be used (it is not as it was written)")
                    .hasMessageContaining("000002-00000001.pages")
                    .hasMessageContaining("restore a backup");
            assertThatThrownBy(() -> store.database().read(tr -> tr.getEstimatedRangeSizeBytes(
                                    new byte[0], Tuple.from(1).pack())
                            .join()))
                    .hasMessageContaining("can not be used");
            assertThatThrownBy(() -> store.database()
                            .run(tr -> tr.watch(Tuple.from(1).pack()))
                            .join())
                    .hasMessageContaining("can not be used");
            try (LogLines log = new LogLines("dev.ratchet.store.engine")) {
                assertThatThrownBy(() -> set(store.database(), 2, 2))
                        .hasMessageContaining("The store has stopped writing");
                assertThatThrownBy(() -> set(store.database(), 1500, 2)).hasMessageContaining("stopped writing");
                assertThat(log.with("The store has stopped writing")).hasSize(1);
            }
            byte[] still =
                    store.database().read(tr -> tr.get(Tuple.from(1500).pack()).join());
            assertThat(still).hasSize(100);
        }
    }

    @Test
    void aDamagedBackupChangesNothing() throws IOException {
        Path file = directory.resolve("backup");
        try (EmbeddedStore store = open()) {
            set(store.database(), 1, 7);
            backup(store, file);
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 3] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> restore(file, "store")).hasMessageContaining("is damaged");
        assertThatThrownBy(() -> restore(file, "new")).hasMessageContaining("is damaged");
        try (EmbeddedStore store = open()) {
            assertThat(get(store.database(), 1)).isEqualTo(7);
            assertThat(store.generation()).isEqualTo(1);
        }
        restoreInto(directory.resolve("new"));
    }

    /** What a failed restore has left is not in the way. */
    private void restoreInto(Path empty) {
        try (EmbeddedStore store = EmbeddedStore.open(EmbeddedOptions.in(empty), environment)) {
            assertThat(get(store.database(), 1)).isEqualTo(-1);
        }
    }

    private List<Path> logs() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("store"))) {
            return files.filter(file ->
                            file.toString().endsWith(".log") && file.toFile().length() > 0)
                    .sorted()
                    .toList();
        }
    }

    /** The environment, with a wall clock that is ahead. */
    private final class Ahead implements ForwardingEnvironment {
        @Override
        public Environment real() {
            return environment;
        }

        @Override
        public long wallClockMillis() {
            return environment.wallClockMillis() + aheadMillis;
        }
    }
}
