/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.environment;

import com.apple.foundationdb.Database;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.foundationdb.FoundationDb;
import dev.ratchet.store.foundationdb.FoundationDbOptions;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The database that suites run on: an embedded one in memory, or the FoundationDB that {@code FDB_CLUSTER_FILE} names.
 * That variable is FoundationDB's own and may name one with data, so all is erased only where another one says so too.
 */
public final class StoreUnderTest {

    public static final String CLUSTER_FILE = "FDB_CLUSTER_FILE";
    public static final String ERASE = "RATCHET_TEST_ERASE";
    private static final long ANSWER_MILLIS = 8_000;

    private StoreUnderTest() {}

    /** The cluster file of the FoundationDB that is to be erased and used, if there is one. */
    public static Optional<Path> clusterFile() {
        String file = System.getenv(CLUSTER_FILE);
        return "true".equals(System.getenv(ERASE)) && file != null && !file.isBlank()
                ? Optional.of(Path.of(file))
                : Optional.empty();
    }

    /** An empty database. Of FoundationDB there is one for all: what was opened before is empty from then on too. */
    public static Database open(Environment environment) {
        return clusterFile()
                .map(file -> erased(file, environment))
                .orElseGet(() -> new EmbeddedDatabaseSupplier(environment).get());
    }

    private static Database erased(Path file, Environment environment) {
        FoundationDbOptions options = new FoundationDbOptions(file, null, null);
        Database database = FoundationDb.open(options, environment.executor());
        FoundationDb.awaitAnswer(database, options, ANSWER_MILLIS);
        database.run(transaction -> {
            transaction.clear(new byte[0], new byte[] {(byte) 0xff});
            return null;
        });
        return database;
    }
}
