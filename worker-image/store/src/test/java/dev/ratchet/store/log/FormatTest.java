/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What earlier releases have written is read: a directory and a backup of each format are kept for ever. */
class FormatTest {

    private static final Path RESOURCES = Path.of("src/test/resources");

    @TempDir
    Path directory;

    private static List<KeyValue> rows(Database database) {
        return database.read(
                tr -> tr.getRange(Tuple.from("golden").range()).asList().join());
    }

    private void copy(String golden) throws IOException {
        try (Stream<Path> files = Files.list(RESOURCES.resolve(golden))) {
            for (Path file : files.toList()) {
                Files.copy(file, directory.resolve(file.getFileName()));
            }
        }
    }

    private void checkGolden() {
        try (SystemEnvironment environment = new SystemEnvironment();
                EmbeddedStore store = EmbeddedStore.open(EmbeddedOptions.in(directory), environment)) {
            List<KeyValue> rows = rows(store.database());
            assertThat(rows).hasSize(48);
            assertThat(Tuple.fromBytes(rows.get(2).getValue()).getString(0)).isEqualTo("value 2");
            assertThat(Tuple.fromBytes(rows.getLast().getKey()).getLong(1)).isEqualTo(99);
            assertThat(store.generation()).isEqualTo(2);
        }
    }

    private int format() throws IOException {
        try (DirectoryDisk disk = new DirectoryDisk(directory, true)) {
            return StoreState.read(disk).format();
        }
    }

    @Test
    void aDirectoryOfFormat1IsServedAsItIs() throws IOException {
        copy("store-format-1");
        checkGolden();
        assertThat(format()).isEqualTo(1);
        checkGolden();
    }

    @Test
    void aDirectoryOfFormat1IsConvertedByAnExplicitStepAlone() throws IOException {
        copy("store-format-1");
        assertThat(EmbeddedStore.convert(directory)).isEqualTo(1);
        assertThat(format()).isEqualTo(2);
        checkGolden();
        assertThat(EmbeddedStore.convert(directory)).isEqualTo(2);
        checkGolden();
    }

    @Test
    void aDirectoryOfFormat2IsOpened() throws IOException {
        copy("store-format-2");
        checkGolden();
        assertThat(format()).isEqualTo(2);
        try (SystemEnvironment environment = new SystemEnvironment();
                EmbeddedStore store = EmbeddedStore.open(EmbeddedOptions.in(directory), environment)) {
            List<KeyValue> log = store.database()
                    .read(tr ->
                            tr.getRange(Tuple.from("golden-2").range()).asList().join());
            assertThat(log).hasSize(1);
            assertThat(Tuple.fromBytes(log.getFirst().getValue()).getString(0)).isEqualTo("in the log");
        }
    }

    @Test
    void aBackupOfFormat1IsRestored() {
        Path backup = RESOURCES.resolve("store-format-1.backup");
        try (SystemEnvironment environment = new SystemEnvironment()) {
            EmbeddedStore.restore(backup, directory.resolve("new"), environment);
        }
        try (SystemEnvironment environment = new SystemEnvironment();
                EmbeddedStore store = EmbeddedStore.open(EmbeddedOptions.in(directory.resolve("new")), environment)) {
            assertThat(rows(store.database())).hasSize(50);
        }
    }
}
