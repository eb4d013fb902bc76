/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final int STAMP_BYTES = 10;

    private final Database database = new EmbeddedDatabaseSupplier().get();
    private final Keyspace keyspace = new Keyspace("team-a/orders");
    private final Table<Long> counts =
            TableSchema.of("test", "counts", Values.counter(), "name").in(keyspace);
    private final Table<byte[]> texts =
            TableSchema.of("test", "texts", Values.bytes(), "text").in(keyspace);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void whatIsWrittenIsReadAsItWas() {
        write(transaction -> {
            counts.set(transaction, 1L, "a");
            counts.setRow(transaction, counts.key("b"), 2L);
            counts.add(transaction, 3L, "b");
            counts.add(transaction, 4L, "c");
        });
        assertThat(counted()).containsExactlyEntriesOf(new TreeMap<>(Map.of("a", 1L, "b", 5L, "c", 4L)));
    }

    @Test
    void whatIsClearedIsGoneAndNothingElse() {
        write(transaction -> {
            for (String name : List.of("a", "b", "c", "d", "e", "f")) {
                counts.set(transaction, 0L, name);
            }
            texts.set(transaction, new byte[0], "a");
        });
        write(transaction -> {
            counts.clear(transaction, "a");
            counts.clearRow(transaction, counts.key("b"));
            counts.clearBetween(transaction, counts.key("c"), counts.key("d"));
            counts.clearIf(transaction, 0L, "e");
            counts.clearIf(transaction, 1L, "f");
        });
        assertThat(counted()).containsOnlyKeys("d", "f");
        write(counts::clearAll);
        assertThat(counted()).isEmpty();
        assertThat(rows(texts)).hasSize(1);
    }

    @Test
    void stampsAreThoseOfTheCommit() {
        byte[] stamp = database.run(transaction -> {
                    texts.append(transaction, Tuple.from("log"), 7, Tuple.from("end"), new byte[] {1});
                    texts.setStamped(transaction, new byte[STAMP_BYTES + 2], 1, "value");
                    return transaction.getVersionstamp();
                })
                .join();
        Map<Tuple, byte[]> rows = rows(texts);
        assertThat(rows.get(Tuple.from("log", Versionstamp.complete(stamp, 7), "end")))
                .containsExactly(1);
        assertThat(rows.get(Tuple.from("value")))
                .isEqualTo(ByteBuffer.allocate(STAMP_BYTES + 2).put(1, stamp).array());
    }

    @Test
    void keysOfOtherTablesAreRefused() {
        byte[] other = texts.key("a");
        List<Consumer<Transaction>> writes = List.of(
                transaction -> counts.clearRow(transaction, other),
                transaction -> counts.setRow(transaction, other, 1L),
                transaction -> counts.clearBetween(transaction, other, counts.key("a")));
        for (Consumer<Transaction> write : writes) {
            assertThatThrownBy(() -> write(write))
                    .hasRootCauseInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is none of the table test/counts");
        }
    }

    private void write(Consumer<Transaction> writes) {
        database.run(transaction -> {
            writes.accept(transaction);
            return null;
        });
    }

    private Map<String, Long> counted() {
        Map<String, Long> counted = new TreeMap<>();
        rows(counts).forEach((key, value) -> counted.put(key.getString(0), counts.decode(value)));
        return counted;
    }

    private Map<Tuple, byte[]> rows(Table<?> table) {
        Map<Tuple, byte[]> rows = new TreeMap<>();
        database.run(transaction -> transaction.getRange(table.range()).asList().join())
                .forEach(row -> rows.put(table.elements(row.getKey()), row.getValue()));
        return rows;
    }
}
