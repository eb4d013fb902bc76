/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import dev.ratchet.protocol.dataflow.v1.DigestRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.DurableRecord;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import dev.ratchet.protocol.dataflow.v1.ParticipantRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.store.keyspace.FormatLevel;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The {@link DataflowTables} of one cluster. Immutable, safe for use by several threads. */
public final class DataflowStore {

    /** With which the names of outputs among the consumers begin. */
    public static final String SINK_PREFIX = "output:";

    private static final int KEYS_MAX = 100_000;

    private final Database database;
    private final FormatLevel formats;
    private final DataflowTables tables;

    public DataflowStore(Database database, Keyspace keyspace) {
        this.database = database;
        this.formats = keyspace.formats();
        this.tables = new DataflowTables(keyspace);
    }

    public Database database() {
        return database;
    }

    /** In which level this process writes what it keeps elsewhere than here, too. */
    public FormatLevel formats() {
        return formats;
    }

    public Table<CircuitRecord> circuit() {
        return tables.circuit;
    }

    public Table<byte[]> program() {
        return tables.program;
    }

    public Table<byte[]> plan() {
        return tables.plan;
    }

    public Table<LogRecord> log() {
        return tables.log;
    }

    public Table<byte[]> rows() {
        return tables.rows;
    }

    public Table<LastReceived> producers() {
        return tables.producers;
    }

    public Table<DivisionRecord> divisions() {
        return tables.divisions;
    }

    public Table<ParticipantRecord> participants() {
        return tables.participants;
    }

    public Table<ProgressRecord> progress() {
        return tables.progress;
    }

    public Table<RunRecord> run() {
        return tables.run;
    }

    public Table<DurableRecord> durable() {
        return tables.durable;
    }

    public Table<DigestRecord> digests() {
        return tables.digests;
    }

    public Table<ConsumerRecord> consumers() {
        return tables.consumers;
    }

    /** The step of the last division; 0 where there is none. */
    public CompletableFuture<Long> lastStep(ReadTransaction transaction) {
        return transaction
                .getRange(tables.divisions.range(), 1, true)
                .asList()
                .thenApply(last -> last.isEmpty()
                        ? 0L
                        : tables.divisions.elements(last.getFirst().getKey()).getLong(0));
    }

    /** The value at a key, or what stands for an absent one. */
    public static <V> CompletableFuture<V> read(
            ReadTransaction transaction, Table<V> table, V absent, Object... elements) {
        return transaction.get(table.key(elements)).thenApply(bytes -> bytes == null ? absent : table.decode(bytes));
    }

    public static <V> void write(Transaction transaction, Table<V> table, V value, Object... elements) {
        table.set(transaction, value, elements);
    }

    /** All values of a table, by the first element of their keys, a name. */
    public static <V> CompletableFuture<Map<String, V>> byName(ReadTransaction transaction, Table<V> table) {
        return all(transaction, table, key -> key.getString(0)).thenApply(Map::copyOf);
    }

    private static <K, V> CompletableFuture<Map<K, V>> all(
            ReadTransaction transaction, Table<V> table, Function<Tuple, K> name, Object... prefix) {
        return transaction
                .getRange(table.range(prefix), KEYS_MAX, false, StreamingMode.WANT_ALL)
                .asList()
                .thenApply(found -> {
                    Map<K, V> values = new LinkedHashMap<>();
                    for (KeyValue row : found) {
                        values.put(name.apply(table.elements(row.getKey())), table.decode(row.getValue()));
                    }
                    return values;
                });
    }

    /** The divisions behind a step, in their order. */
    public CompletableFuture<SortedMap<Long, DivisionRecord>> divisionsAfter(
            ReadTransaction transaction, long step, int limit) {
        return transaction
                .getRange(
                        tables.divisions.key(step + 1),
                        tables.divisions.range().end,
                        limit,
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .thenApply(found -> {
                    SortedMap<Long, DivisionRecord> after = new TreeMap<>();
                    for (KeyValue row : found) {
                        after.put(
                                tables.divisions.elements(row.getKey()).getLong(0),
                                tables.divisions.decode(row.getValue()));
                    }
                    return after;
                });
    }

    /** The steps behind which processes have versions durable, by version and seat. */
    public CompletableFuture<SortedMap<Long, Map<String, DurableRecord>>> durables(ReadTransaction transaction) {
        return all(transaction, tables.durable, key -> key).thenApply(found -> {
            SortedMap<Long, Map<String, DurableRecord>> versions = new TreeMap<>();
            found.forEach((key, value) -> versions.computeIfAbsent(key.getLong(0), version -> new TreeMap<>())
                    .put(key.getString(1), value));
            return versions;
        });
    }

    /** Bytes in pieces, each small enough for a value. */
    public static List<byte[]> chunks(byte[] bytes, int chunkBytes) {
        List<byte[]> chunks = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += chunkBytes) {
            chunks.add(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + chunkBytes)));
        }
        return chunks;
    }

    public byte[] counterKey(Counter counter) {
        return tables.counters.key(name(counter));
    }

    private static String name(Counter counter) {
        return counter.name().toLowerCase(Locale.ROOT);
    }

    public void count(Transaction transaction, Counter counter, long added) {
        tables.counters.add(transaction, added, name(counter));
    }

    /** Has a counter begin at 0. */
    public void clear(Transaction transaction, Counter counter) {
        tables.counters.clear(transaction, name(counter));
    }

    public CompletableFuture<Long> counted(ReadTransaction transaction, Counter counter) {
        return transaction
                .get(counterKey(counter))
                .thenApply(bytes -> bytes == null ? 0L : tables.counters.decode(bytes));
    }
}
