/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Transaction;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.fixture.Proxied;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.Limits;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Pages can not be written, and the log can. */
class CheckpointFailureTest {

    private static final EngineSettings LITTLE_MEMORY =
            new EngineSettings(Limits.WINDOW_VERSIONS, 1 << 20, 1 << 20, 20_000);

    private final SteppedEnvironment environment = new SteppedEnvironment(1);
    private int attempts;

    /** A disk on which no file of pages can be made. */
    private Disk withoutPages() {
        CrashingDisk disk = new CrashingDisk(1);
        return Proxied.of(Disk.class, (call, arguments) -> {
            if (call.getName().equals("create") && arguments[0].toString().endsWith(".pages")) {
                attempts++;
                throw new IOException("No space left on device");
            }
            return Proxied.pass(disk, call, arguments);
        });
    }

    private void commit(StoreDirectory store, int number) {
        Transaction tr = new ConnectionDatabase(store.engine(), environment).createTransaction();
        tr.set(new byte[] {(byte) number}, new byte[1_000]);
        CompletableFuture<Void> committed = tr.commit();
        environment.runAll();
        assertThat(committed).isCompleted();
    }

    @Test
    void aCheckpointThatFailedIsNotTriedAgainWithEveryCommit() {
        StoreDirectory store = StoreDirectory.open(withoutPages(), environment.executor(), environment, LITTLE_MEMORY);
        for (int i = 0; i < 100; i++) {
            commit(store, i);
        }
        assertThat(attempts).isEqualTo(1);
        environment.schedule(60_000, () -> commit(store, 100));
        environment.runAll();
        assertThat(attempts).isEqualTo(2);
    }
}
