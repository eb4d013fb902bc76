/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.Limits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However much is written, however little of it is new, and in however many lives: what a start must read of the log
 * has a bound.
 */
class LogBoundTest {

    private static final int COMMITS = 40;
    private static final int VALUES = 90;
    private static final int VALUE_BYTES = 99_000;
    /** So much that no checkpoint is due for the sake of memory. */
    private static final EngineSettings MUCH_MEMORY =
            new EngineSettings(Limits.WINDOW_VERSIONS, 16 << 20, 64 << 20, 16L << 30);

    @TempDir
    Path directory;

    private SteppedEnvironment environment;
    private DirectoryDisk disk;

    private long logBytes() {
        return Arrays.stream(directory.toFile().listFiles((place, name) -> name.endsWith(".log")))
                .mapToLong(File::length)
                .sum();
    }

    /** What a process finds after the one before it was killed. */
    private Database start() throws IOException {
        if (disk != null) {
            disk.close();
        }
        disk = new DirectoryDisk(directory, false);
        environment = new SteppedEnvironment(1);
        StoreDirectory store = StoreDirectory.open(disk, environment.executor(), environment, MUCH_MEMORY);
        return new ConnectionDatabase(store.engine(), environment);
    }

    @AfterEach
    void stop() throws IOException {
        disk.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {COMMITS, COMMITS / 4})
    void aCheckpointIsDueBeforeTheLogIsLongerThanItMayBe(int commitsOfALife) throws IOException {
        Database database = null;
        long longest = 0;
        for (int i = 0; i < COMMITS; i++) {
            database = i % commitsOfALife == 0 ? start() : database;
            Transaction tr = database.createTransaction();
            for (int j = 0; j < VALUES; j++) {
                tr.set(new byte[] {(byte) (i % 4), (byte) j}, new byte[VALUE_BYTES]);
            }
            CompletableFuture<Void> committed = tr.commit();
            environment.runAll();
            assertThat(committed).isCompleted();
            longest = Math.max(longest, logBytes());
        }
        // Files go as a whole, the last is longer by a commit, and each has its room from the beginning.
        assertThat(longest)
                .isLessThan(PageKeeper.LOG_BYTES_MAX + 3 * LogWriter.FILE_BYTES_MAX)
                .isGreaterThan(PageKeeper.LOG_BYTES_MAX);
        assertThat(COMMITS * (long) VALUES * VALUE_BYTES).isGreaterThan(2 * PageKeeper.LOG_BYTES_MAX);
    }
}
