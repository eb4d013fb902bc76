/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BlockCache;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.batch.StoredAt;
import dev.ratchet.circuits.trace.Fragment;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The version that is being written, over a manifest. The pending commit, if there is one, belongs to it. */
final class FileOpenState implements OpenState {

    private final FileStateDatabase database;
    private final SortedMap<String, StateTable> tables = new TreeMap<>();
    private Manifest below;
    private @Nullable FileCommit pending;
    private boolean ended;

    FileOpenState(FileStateDatabase database, Manifest below) {
        this.database = database;
        this.below = below;
        BlockCache cache = database.batches().cache();
        below.tables().forEach((name, table) -> {
            List<Fragment> fragments = new ArrayList<>();
            for (Manifest.Entry entry : table.entries()) {
                StoredAt at = new StoredAt(database.batches().file(entry.file()), entry.position(), entry.length());
                fragments.add(Fragment.of(new Fragment.Stored(at, entry.rows(), entry.range())));
            }
            tables.put(name, new StateTable(name, table.schema(), cache, fragments));
        });
    }

    @Override
    public synchronized long version() {
        return below.version() + (pending == null ? 1 : 2);
    }

    @Override
    public synchronized StateRecord record() {
        return below.record();
    }

    @Override
    public synchronized SortedSet<String> tables() {
        return new TreeSet<>(tables.keySet());
    }

    @Override
    public synchronized Trace trace(String table, RowSchema schema, HashRanges ranges) {
        requireOpen();
        return tables.computeIfAbsent(
                        table,
                        name -> new StateTable(name, schema, database.batches().cache(), new ArrayList<>()))
                .take(schema, ranges, database.traces());
    }

    @Override
    public synchronized void dropTable(String table) {
        requireOpen();
        StateTable found = tables.get(table);
        if (found != null && found.isTaken()) {
            throw new IllegalArgumentException("Table " + table + " is in use and can not be removed");
        }
        tables.remove(table);
    }

    @Override
    public synchronized PendingCommit prepare(StateRecord record) {
        requireOpen();
        if (pending != null) {
            throw new IllegalStateException("Version " + pending.version()
                    + " is not stored yet; complete that commit before the next one is prepared");
        }
        SortedMap<String, FileCommit.Table> content = new TreeMap<>();
        tables.forEach((name, table) -> {
            List<Fragment> fragments = table.fragments();
            fragments.forEach(Fragment::freeze);
            content.put(name, new FileCommit.Table(table.schema(), fragments));
        });
        FileCommit commit =
                new FileCommit(this, below, record, content, database.batches().horizon());
        pending = commit;
        return commit;
    }

    /** The manifest is stored, or could not be. */
    synchronized void finished(@Nullable Manifest stored) {
        pending = null;
        if (stored != null) {
            below = stored;
        }
    }

    FileStateDatabase database() {
        return database;
    }

    synchronized void end() {
        ended = true;
    }

    synchronized void requireOpen() {
        if (ended) {
            throw new IllegalStateException(
                    "The state in " + database.files().place() + " was closed or opened again; use what open() gave");
        }
    }

    @Override
    public synchronized List<ShardPiece> exportShards(HashRange range) {
        requireOpen();
        List<ShardPiece> pieces = new ArrayList<>();
        tables.forEach((name, table) -> {
            for (Batch rows : table.slices(range)) {
                pieces.add(new ShardPiece(name, rows));
            }
        });
        return pieces;
    }

    @Override
    public synchronized void importShard(ShardPiece piece) {
        requireOpen();
        RowSchema schema = piece.rows().schema();
        StateTable table = tables.computeIfAbsent(
                piece.table(),
                name -> new StateTable(name, schema, database.batches().cache(), new ArrayList<>()));
        if (!table.schema().equals(schema)) {
            throw new IllegalArgumentException("Table " + piece.table() + " has rows of " + table.schema()
                    + ", those that arrived are of " + schema + "; the two databases run other programs");
        }
        table.add(piece.rows());
    }

    @Override
    public synchronized void dropShards(HashRange range) {
        requireOpen();
        tables.values().forEach(table -> table.drop(range));
    }

    @Override
    public synchronized StateStatistics statistics() {
        StateCounters written = database.counters();
        return new StateStatistics(
                tables.values().stream().mapToLong(StateTable::rowCount).sum(),
                tables.values().stream().mapToLong(StateTable::memoryBytes).sum(),
                below.files().values().stream()
                        .mapToLong(Manifest.StoredFile::length)
                        .sum(),
                written.changed(),
                written.rewritten() + database.batches().spilledBytes(),
                written.manifests());
    }
}
