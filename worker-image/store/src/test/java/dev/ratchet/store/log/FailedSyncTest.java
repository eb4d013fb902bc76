/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.fixture.Proxied;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A sync that fails. The operating system may show what it could not write to everybody, forget that it is not on the
 * disk, and let the next sync succeed: nothing of it may be there for the next start to build on.
 */
class FailedSyncTest {

    private static final byte[] BEFORE = {1};
    private static final byte[] UNSYNCED = {2};

    private final CrashingDisk disk = new CrashingDisk(1);
    private SteppedEnvironment environment = new SteppedEnvironment(1);
    private boolean syncsFail;
    private boolean appendsThrow;

    private <T> T failing(Class<T> type, T target) {
        return Proxied.of(type, (call, arguments) -> {
            if (call.getName().equals("sync") && syncsFail) {
                throw new IOException("Input/output error");
            }
            if (call.getName().equals("append") && appendsThrow) {
                throw new IllegalStateException("planted");
            }
            Object result = Proxied.pass(target, call, arguments);
            return result instanceof Disk.File file ? failing(Disk.File.class, file) : result;
        });
    }

    private Database open(Disk on) {
        environment = new SteppedEnvironment(1);
        StoreDirectory store = StoreDirectory.open(on, environment.executor(), environment, EngineSettings.DEFAULT);
        return new ConnectionDatabase(store.engine(), environment);
    }

    private CompletableFuture<Void> set(Database database, byte[] key) {
        Transaction tr = database.createTransaction();
        tr.set(key, key);
        CompletableFuture<Void> committed = tr.commit();
        environment.runAll();
        return committed;
    }

    private byte @Nullable [] get(Database database, byte[] key) {
        CompletableFuture<byte[]> value = database.createTransaction().get(key);
        environment.runAll();
        return value.join();
    }

    @Test
    void whatASyncThatFailedWasToMakeDurableIsNotThereForTheNextStart() {
        Database first = open(failing(Disk.class, disk));
        set(first, BEFORE).join();
        syncsFail = true;
        assertThatThrownBy(() -> set(first, UNSYNCED).join()).hasMessageContaining("may or may not have committed");

        Database second = open(disk.afterKill());

        assertThat(get(second, BEFORE)).isEqualTo(BEFORE);
        assertThat(get(second, UNSYNCED)).isNull();
    }

    @Test
    void whatALogCanNotTakeForAReasonThatNobodyExpectsFailsInsteadOfWaiting() {
        Database first = open(failing(Disk.class, disk));
        set(first, BEFORE).join();
        appendsThrow = true;

        assertThat(set(first, UNSYNCED)).isCompletedExceptionally();
        assertThat(set(first, UNSYNCED)).isCompletedExceptionally();
        assertThat(get(first, BEFORE)).isEqualTo(BEFORE);
    }
}
