/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.ordered.TreeBuilder;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.Limits;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a commit costs, counted: it depends on what it does and on what was done lately, not on how much data there is.
 */
class CommitCostTest {

    private static final int COMMITS = 400;
    private static final EngineSettings DEFAULT = EngineSettings.DEFAULT;
    /** What is counted stays in the window however long it takes to do it. */
    private static final EngineSettings SETTINGS = new EngineSettings(
            100 * Limits.WINDOW_VERSIONS, DEFAULT.windowBytesMax(), DEFAULT.pendingBytesMax(), DEFAULT.dataBytesMax());

    private final SystemEnvironment environment = new SystemEnvironment();

    /**
     * What was counted.
     *
     * @param logBytes keys, values and headers that went to the log
     * @param conflictBytes what it takes to tell conflicts afterwards
     * @param copiedBytes nodes of the tree that were copied, and values displaced
     */
    private record Cost(long logBytes, long conflictBytes, long copiedBytes) {}

    @AfterEach
    void stop() {
        environment.close();
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    private Cost cost(int keys) {
        TreeBuilder<byte[]> data = new TreeBuilder<>(StartingPoint::weigh);
        for (int i = 0; i < keys; i++) {
            data.add(key(i), new byte[50]);
        }
        AtomicLong logBytes = new AtomicLong();
        Durability log = (batch, done) -> {
            batch.changes().forEach(change -> logBytes.addAndGet(change.key().length + change.param().length + 20));
            done.accept(null);
        };
        EmbeddedEngine engine =
                new EmbeddedEngine(environment, SETTINGS, log, new StartingPoint(1_000_000, data.build(), Map.of()));
        try (ConnectionDatabase database = new ConnectionDatabase(engine, environment)) {
            Random random = new Random(5);
            for (int i = 0; i < COMMITS; i++) {
                byte[] updated = key(random.nextInt(keys));
                byte[] cleared = key(random.nextInt(keys));
                database.run(tr -> {
                    tr.get(updated).join();
                    tr.set(updated, new byte[50]);
                    tr.clear(cleared);
                    tr.addReadConflictRange(new byte[0], new byte[] {0});
                    return null;
                });
            }
            Map<String, Long> status = status(engine);
            return new Cost(logBytes.get(), status.get("conflict_bytes"), status.get("window_cost_bytes"));
        }
    }

    private static Map<String, Long> status(EmbeddedEngine engine) {
        String document = new String(engine.status().join(), java.nio.charset.StandardCharsets.UTF_8);
        Map<String, Long> numbers = new HashMap<>();
        for (String name : new String[] {"conflict_bytes", "window_cost_bytes"}) {
            numbers.put(name, Long.parseLong(document.replaceAll("(?s).*\"" + name + "\":(\\d+).*", "$1")));
        }
        return numbers;
    }

    @Test
    void logAndConflictsCostTheSameHoweverManyKeysThereAreAndTheTreeItsHeight() {
        Cost small = cost(10_000);
        Cost large = cost(1_000_000);
        assertThat(large.logBytes).isEqualTo(small.logBytes);
        assertThat((double) large.conflictBytes).isBetween(small.conflictBytes * 0.95, small.conflictBytes * 1.05);
        assertThat((double) large.copiedBytes)
                .as("a path of five nodes for one of three")
                .isLessThan(small.copiedBytes * 2.2);
    }

    @Test
    void whatTellsConflictsStaysWithinItsBytesAndOlderCommitsGet1007() {
        EngineSettings settings = new EngineSettings(Limits.WINDOW_VERSIONS * 100, 4 << 20, 1 << 20, 1 << 20);
        EmbeddedEngine engine = new EmbeddedEngine(environment, settings, Durability.NONE, StartingPoint.empty());
        try (ConnectionDatabase database = new ConnectionDatabase(engine, environment)) {
            Transaction old = database.createTransaction();
            old.get(key(1)).join();
            old.set(key(2), new byte[0]);
            for (int i = 0; i < 60; i++) {
                int from = i * 200;
                database.run(tr -> {
                    for (int j = 0; j < 200; j++) {
                        byte[] wide = ByteBuffer.allocate(500).putLong(from + j).array();
                        tr.addWriteConflictKey(wide);
                    }
                    return null;
                });
                assertThat(status(engine).get("conflict_bytes")).isLessThan((4 << 20) / 4 + 200 * 600);
            }
            assertThatThrownBy(() -> old.commit().join())
                    .cause()
                    .isInstanceOfSatisfying(
                            FDBException.class, e -> assertThat(e.getCode()).isEqualTo(1007));
        }
    }
}
