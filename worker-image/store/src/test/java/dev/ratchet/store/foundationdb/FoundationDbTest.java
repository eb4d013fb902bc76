/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.apple.foundationdb.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

class FoundationDbTest {

    @TempDir
    Path directory;

    @Test
    void aClusterFileThatIsNotThereIsNamed() {
        Path absent = directory.resolve("fdb.cluster");
        assertThatThrownBy(() -> FoundationDb.open(new FoundationDbOptions(absent, null, null), Runnable::run))
                .isInstanceOf(FoundationDbException.class)
                .hasMessageContaining(absent.toString())
                .hasMessageContaining("can not be read");
    }

    @Test
    void aMissingLibraryIsExplainedEachTimeAndBreaksNothingElse() throws Exception {
        assumeFalse(libraryIsThere(), "libfdb_c.so is installed here, so that it is missing can not be tried");
        Path file = Files.writeString(directory.resolve("fdb.cluster"), "test:test@127.0.0.1:4500\n");
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> FoundationDb.open(new FoundationDbOptions(file, null, null), Runnable::run))
                    .isInstanceOf(FoundationDbException.class)
                    .hasMessageContaining("libfdb_c.so")
                    .hasMessageContaining("foundationdb-clients")
                    .hasMessageContaining("init container");
        }
    }

    @Test
    @EnabledIfEnvironmentVariable(
            named = "RATCHET_TEST_FDB_CLUSTER_FILE",
            matches = ".+",
            disabledReason = "no real FoundationDB: name its cluster file in RATCHET_TEST_FDB_CLUSTER_FILE")
    void aRealClusterAnswers() {
        Path file = Path.of(System.getenv("RATCHET_TEST_FDB_CLUSTER_FILE"));
        try (Database database = FoundationDb.open(new FoundationDbOptions(file, null, null), Runnable::run)) {
            byte[] key = "ratchet-test".getBytes(java.nio.charset.StandardCharsets.UTF_8);
            database.run(transaction -> {
                transaction.set(key, new byte[] {1});
                return null;
            });
            byte[] value = database.run(transaction -> {
                byte[] read = transaction.get(key).join();
                transaction.clear(key);
                return read;
            });
            assertThat(value).containsExactly(1);
        }
    }

    private static boolean libraryIsThere() {
        return Files.exists(Path.of("/usr/lib/libfdb_c.so")) || System.getProperty("FDB_LIBRARY_PATH_FDB_C") != null;
    }
}
