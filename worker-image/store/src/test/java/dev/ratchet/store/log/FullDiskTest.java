/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Transaction;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.fixture.Proxied;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a disk has left is for commits. */
class FullDiskTest {

    private final SteppedEnvironment environment = new SteppedEnvironment(1);
    private final CrashingDisk disk = new CrashingDisk(1);

    private static <T> T proxy(Class<T> type, T target, String refused) {
        return Proxied.of(type, (call, arguments) -> {
            if (call.getName().equals(refused)) {
                throw new IOException("No space left on device");
            }
            Object result = Proxied.pass(target, call, arguments);
            boolean spare =
                    call.getName().equals("create") && arguments[0].toString().endsWith(".part");
            return spare ? proxy(Disk.File.class, (Disk.File) result, "reserve") : result;
        });
    }

    @Test
    void aFileThatCanNotBeMadeReadyIsNotInTheWayOfCommits() {
        StoreDirectory store = StoreDirectory.open(
                proxy(Disk.class, disk, "none"), environment.executor(), environment, EngineSettings.DEFAULT);
        environment.runAll();
        assertThat(disk.list()).noneMatch(name -> name.endsWith(".part"));
        for (int i = 0; i < 30; i++) {
            Transaction tr = new ConnectionDatabase(store.engine(), environment).createTransaction();
            tr.set(new byte[] {(byte) i}, new byte[90_000]);
            CompletableFuture<Void> committed = tr.commit();
            environment.runAll();
            assertThat(committed).isCompleted();
        }
        assertThat(disk.list()).contains("000001-000000000002.log");
    }

    @Test
    void aStoreThatFindsNoRoomForItsLogSaysSoAndWhatToDo() {
        disk.failFrom(8);
        assertThatThrownBy(() -> StoreDirectory.open(disk, environment.executor(), environment, EngineSettings.DEFAULT))
                .isInstanceOf(StoreDirectoryException.class)
                .hasMessageContaining("No space left on device")
                .hasMessageContaining("Make room");
    }
}
