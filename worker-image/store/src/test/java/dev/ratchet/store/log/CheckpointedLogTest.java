/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A checkpoint makes the log before it superfluous, and nothing else. */
class CheckpointedLogTest {

    /** More than the first file of the log holds. */
    private static final int COMMITS = 12;

    private static final int VALUE_BYTES = 95_000;

    private final CrashingDisk disk = new CrashingDisk(1);
    private SteppedEnvironment environment = new SteppedEnvironment(1);

    private StoreDirectory open(CrashingDisk on) {
        environment = new SteppedEnvironment(1);
        return StoreDirectory.open(on, environment.executor(), environment, EngineSettings.DEFAULT);
    }

    private static byte[] key(int number) {
        return new byte[] {1, (byte) number};
    }

    @Test
    void aFileThatIsFullBeforeACheckpointIsWrittenOutlivesItWithWhatTheCheckpointLacks() {
        StoreDirectory store = open(disk);
        Database database = new ConnectionDatabase(store.engine(), environment);
        List<CompletableFuture<Void>> commits = new ArrayList<>();
        CompletableFuture<Long> checkpoint = store.checkpoint();
        for (int i = 0; i < COMMITS; i++) {
            Transaction tr = database.createTransaction();
            tr.set(key(i), new byte[VALUE_BYTES]);
            commits.add(tr.commit());
        }
        environment.runAll();
        assertThat(commits).allSatisfy(commit -> assertThat(commit).isCompleted());
        assertThat(checkpoint).isCompleted();
        assertThat(disk.list()).as("a second file of the log").contains("000001-000000000002.log");

        Database found = new ConnectionDatabase(open(disk.afterKill()).engine(), environment);

        for (int i = 0; i < COMMITS; i++) {
            CompletableFuture<byte[]> value = found.createTransaction().get(key(i));
            environment.runAll();
            assertThat(value.join()).as("commit %d", i).hasSize(VALUE_BYTES);
        }
    }
}
