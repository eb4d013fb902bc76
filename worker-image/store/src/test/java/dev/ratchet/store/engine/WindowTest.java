/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.Limits;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The versions that stay readable are bounded in bytes, and who reads below them is told so. */
class WindowTest {

    private final SystemEnvironment environment = new SystemEnvironment();

    @AfterEach
    void stop() {
        environment.close();
    }

    /** Bounded in bytes alone: versions follow the time, and on a busy machine five seconds are soon over. */
    private ConnectionDatabase open(long windowBytesMax) {
        EngineSettings settings = new EngineSettings(100 * Limits.WINDOW_VERSIONS, windowBytesMax, 1 << 20, 1 << 20);
        return new ConnectionDatabase(
                new EmbeddedEngine(environment, settings, Durability.NONE, StartingPoint.empty()), environment);
    }

    private static void overwrite(ConnectionDatabase database, int times) {
        for (int i = 0; i < times; i++) {
            database.run(tr -> {
                tr.set(Tuple.from("key").pack(), new byte[10_000]);
                return null;
            });
        }
    }

    @Test
    void atTheLimitInBytesTheWindowShrinksAndOldReadersGet1007() {
        try (ConnectionDatabase database = open(1 << 20)) {
            overwrite(database, 1);
            Transaction old = database.createTransaction();
            old.getReadVersion().join();
            overwrite(database, 50);
            assertThat(old.get(Tuple.from("key").pack()).join()).hasSize(10_000);
            overwrite(database, 200);
            assertThatThrownBy(() -> old.get(Tuple.from("other").pack()).join())
                    .cause()
                    .isInstanceOfSatisfying(
                            FDBException.class, e -> assertThat(e.getCode()).isEqualTo(1007));
            String status = new String(database.getClientStatus().join(), StandardCharsets.UTF_8);
            long cost = Long.parseLong(status.replaceAll(".*\"window_cost_bytes\":(\\d+).*", "$1"));
            assertThat(cost).isLessThan((1 << 20) + 20_000);
        }
    }

    @Test
    void withinTheLimitAVersionStaysReadableWhateverIsWritten() {
        try (ConnectionDatabase database = open(64 << 20)) {
            overwrite(database, 1);
            Transaction old = database.createTransaction();
            old.getReadVersion().join();
            overwrite(database, 300);
            assertThat(old.getRange(new byte[0], new byte[] {(byte) 0xff})
                            .asList()
                            .join())
                    .hasSize(1);
        }
    }
}
