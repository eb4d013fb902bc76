/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.NetworkOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
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

    /** Codes of FoundationDB's fdb.options: 43 certificate, 46 key, 53 authorities, 63 further libraries. */
    @Test
    void tlsFilesAndFurtherLibrariesAreNamedToTheLibraryBeforeItsNetworkStarts() {
        Map<Integer, String> told = new TreeMap<>();
        NetworkOptions network =
                new NetworkOptions((code, value) -> told.put(code, new String(value, StandardCharsets.UTF_8)));
        FoundationDb.configure(network, new FoundationDbOptions(Path.of("fdb.cluster"), null, null));
        assertThat(told).isEmpty();
        FoundationDb.configure(
                network, new FoundationDbOptions(Path.of("fdb.cluster"), Path.of("/tls"), Path.of("/libraries")));
        assertThat(told).isEqualTo(Map.of(43, "/tls/tls.crt", 46, "/tls/tls.key", 53, "/tls/ca.crt", 63, "/libraries"));
    }

    @Test
    @EnabledIfEnvironmentVariable(
            named = "RATCHET_TEST_FDB_CLUSTER_FILE",
            matches = ".+",
            disabledReason = "no real FoundationDB: name its cluster file in RATCHET_TEST_FDB_CLUSTER_FILE")
    void aRealClusterAnswers() {
        Path file = Path.of(System.getenv("RATCHET_TEST_FDB_CLUSTER_FILE"));
        try (Database database = FoundationDb.open(new FoundationDbOptions(file, null, null), Runnable::run)) {
            byte[] key = "ratchet-test".getBytes(StandardCharsets.UTF_8);
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
