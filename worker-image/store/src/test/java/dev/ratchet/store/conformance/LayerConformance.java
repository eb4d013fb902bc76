/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncIterator;
import com.apple.foundationdb.directory.DirectoryLayer;
import com.apple.foundationdb.directory.DirectorySubspace;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What layers build on: the directory layer with its allocator, ranges that follow an index, and iterators that clear.
 * On a database without faults, where nothing else is said.
 */
public abstract class LayerConformance extends DatabaseConformance {

    private static final int ROWS = 300;

    /** As {@link #open}, with faults. */
    protected abstract Database openFaulty();

    /** An index (i, color, id) → () over records (r, id, part), two parts each. */
    private void writeIndex() {
        database.run(tr -> {
            for (long id = 0; id < ROWS; id++) {
                tr.set(Tuple.from("i", id % 3, id).pack(), Tuple.from("v" + id).pack());
                tr.set(Tuple.from("r", id, "a").pack(), Tuple.from(id * 2).pack());
                tr.set(Tuple.from("r", id, "b").pack(), Tuple.from(id * 3).pack());
            }
            return null;
        });
    }

    private static List<MappedKeyValue> mapped(ReadTransaction tr, Tuple mapper, int limit, boolean reverse) {
        return tr.getMappedRange(
                        KeySelector.firstGreaterOrEqual(Tuple.from("i", 1).range().begin),
                        KeySelector.firstGreaterOrEqual(Tuple.from("i", 1).range().end),
                        mapper.pack(),
                        limit,
                        reverse,
                        StreamingMode.WANT_ALL)
                .asList()
                .join();
    }

    private static void assertFails(Runnable call, int code) {
        assertThatThrownBy(call::run).hasCauseInstanceOf(FDBException.class).satisfies(e -> assertThat(
                        ((FDBException) e.getCause()).getCode())
                .isEqualTo(code));
    }

    @Test
    void aMappedRangeBringsWhatEachRowOfAnIndexPointsTo() {
        writeIndex();
        List<MappedKeyValue> rows = database.run(tr -> mapped(tr, Tuple.from("r", "{K[2]}", "{...}"), 0, false));
        assertThat(rows).hasSize(ROWS / 3);
        for (int i = 0; i < rows.size(); i++) {
            MappedKeyValue row = rows.get(i);
            long id = 3L * i + 1;
            assertThat(row.getKey()).isEqualTo(Tuple.from("i", 1, id).pack());
            assertThat(row.getRangeBegin()).isEqualTo(Tuple.from("r", id).pack());
            assertThat(row.getRangeEnd())
                    .isEqualTo(ByteArrayUtil.strinc(Tuple.from("r", id).pack()));
            assertThat(row.getRangeResult())
                    .extracting(KeyValue::getKey)
                    .containsExactly(
                            Tuple.from("r", id, "a").pack(),
                            Tuple.from("r", id, "b").pack());
        }
        List<MappedKeyValue> last = database.run(tr -> mapped(tr, Tuple.from("r", "{K[2]}", "a"), 2, true));
        assertThat(last)
                .extracting(row -> Tuple.fromBytes(row.getKey()).getLong(2))
                .containsExactly(298L, 295L);
        assertThat(last.getFirst().getRangeResult()).hasSize(1);
        List<MappedKeyValue> byValue =
                database.run(tr -> mapped(tr, Tuple.from("x{{0}}", "{V[0]}", "{...}"), 1, false));
        assertThat(byValue.getFirst().getRangeBegin())
                .isEqualTo(Tuple.from("x{0}".getBytes(java.nio.charset.StandardCharsets.US_ASCII), "v1")
                        .pack());
        assertThat(byValue.getFirst().getRangeResult()).isEmpty();
    }

    @Test
    void aMappedRangeConflictsWithWritesToWhatItFollowed() {
        writeIndex();
        Transaction reader = database.createTransaction();
        mapped(reader, Tuple.from("r", "{K[2]}", "{...}"), 5, false);
        reader.set(Tuple.from("out").pack(), new byte[0]);
        database.run(tr -> {
            tr.set(Tuple.from("r", 4, "c").pack(), new byte[0]);
            return null;
        });
        assertFails(() -> reader.commit().join(), 1020);
        Transaction other = database.createTransaction();
        mapped(other, Tuple.from("r", "{K[2]}", "{...}"), 5, false);
        other.set(Tuple.from("out").pack(), new byte[0]);
        database.run(tr -> {
            tr.set(Tuple.from("r", 5, "c").pack(), new byte[0]);
            return null;
        });
        other.commit().join();
    }

    @Test
    void aMappedRangeTellsWhatIsWrongWithItsMapperAndNeverShowsOldDataForOwnWrites() {
        writeIndex();
        Tuple good = Tuple.from("r", "{K[2]}", "{...}");
        assertFails(() -> database.run(tr -> mapped(tr, Tuple.from("r", "{K[9]}"), 0, false)), 2030);
        assertFails(() -> database.run(tr -> mapped(tr, Tuple.from("r", "{K[x]}"), 0, false)), 2030);
        assertFails(() -> database.run(tr -> mapped(tr, Tuple.from("{...}", "r"), 0, false)), 2032);
        assertFails(() -> mapped(database.createTransaction().snapshot(), good, 0, false), 2108);
        Transaction tr = database.createTransaction();
        tr.set(Tuple.from("r", 4, "a").pack(), new byte[0]);
        assertFails(() -> mapped(tr, good, 0, false), 2039);
        tr.close();
    }

    @Test
    void removeOfAnIteratorClearsTheRowThatItReturnedLast() {
        writeIndex();
        database.run(tr -> {
            AsyncIterator<KeyValue> rows = tr.getRange(Tuple.from("r").range()).iterator();
            assertThatThrownBy(rows::remove).isInstanceOf(IllegalStateException.class);
            while (rows.hasNext()) {
                if (Tuple.fromBytes(rows.next().getKey()).getString(2).equals("b")) {
                    rows.remove();
                }
            }
            return null;
        });
        List<KeyValue> left = database.read(
                tr -> tr.getRange(Tuple.from("r").range()).asList().join());
        assertThat(left).hasSize(ROWS);
    }

    @Test
    void allocatorsInContentionNeverGiveAPrefixTwiceNorOneWithinAnother() throws Exception {
        int clients = 8;
        int each = 12;
        try (Database faulty = openFaulty()) {
            List<CompletableFuture<DirectorySubspace>> created = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                DirectoryLayer layer = new DirectoryLayer();
                for (int i = 0; i < each; i++) {
                    List<String> path = List.of("app", "client" + client, "directory" + i);
                    created.add(faulty.runAsync(tr -> layer.createOrOpen(tr, path)));
                }
            }
            CompletableFuture.allOf(created.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            List<byte[]> prefixes = new ArrayList<>();
            created.forEach(directory -> prefixes.add(directory.join().getKey()));
            for (int i = 0; i < prefixes.size(); i++) {
                for (int j = 0; j < prefixes.size(); j++) {
                    if (i != j) {
                        assertThat(ByteArrayUtil.startsWith(prefixes.get(i), prefixes.get(j)))
                                .as(
                                        "%s within %s",
                                        ByteArrayUtil.printable(prefixes.get(i)),
                                        ByteArrayUtil.printable(prefixes.get(j)))
                                .isFalse();
                    }
                }
            }
            DirectoryLayer layer = new DirectoryLayer();
            for (int client = 0; client < clients; client++) {
                List<String> path = List.of("app", "client" + client);
                assertThat(faulty.runAsync(tr -> layer.list(tr, path)).get(60, TimeUnit.SECONDS))
                        .hasSize(each);
            }
            List<String> moved = List.of("app", "moved");
            faulty.runAsync(tr -> layer.move(tr, List.of("app", "client0"), moved))
                    .exceptionally(e -> null)
                    .get(60, TimeUnit.SECONDS);
            assertThat(faulty.runAsync(tr -> layer.list(tr, moved)).get(60, TimeUnit.SECONDS))
                    .hasSize(each);
        }
    }
}
