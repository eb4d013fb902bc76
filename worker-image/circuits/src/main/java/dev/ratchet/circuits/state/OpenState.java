/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import java.util.SortedSet;

/**
 * A version that is being written, at first a copy of the one that was opened. Tables that nobody asks for stay as they
 * are. A name of a table begins with the id of its operator, which stays the same from release to release of a program.
 */
public interface OpenState {

    /** The number that the next commit gives. */
    long version();

    /** What the version below says of itself. */
    StateRecord record();

    /** The names of all tables. */
    SortedSet<String> tables();

    /**
     * The rows of a table with hashes in some ranges, to be changed by its caller; empty where there is no such table.
     * Each hash is given once: threads take ranges that do not overlap. The trace belongs to one thread.
     *
     * @throws IllegalArgumentException where the table has another schema, or some of the hashes were given already
     */
    Trace trace(String table, RowSchema schema, HashRanges ranges);

    /** A table of keys and values, whole; at most one for each name. */
    default KeyValueTable values(String table) {
        return new KeyValueTable(trace(table, KeyValueTable.SCHEMA, HashRanges.ALL));
    }

    /** Removes a table that no trace was taken of. */
    void dropTable(String table);

    /**
     * Ends the version: what the traces are now is what will be committed. Called while no thread changes a trace; they
     * may go on once it returns, which does not wait for any file. One commit is pending at a time.
     */
    PendingCommit prepare(StateRecord record);

    /** Commits and waits for it. */
    default void commit(StateRecord record) {
        prepare(record).complete();
    }

    /** The rows with hashes in a range as they are now, of all tables, pinned: later changes do not show in them. */
    List<ShardPiece> exportShards(HashRange range);

    /** Adds rows that another database exported. Pieces may come in any order: they are sums. */
    void importShard(ShardPiece piece);

    /** Removes the rows with hashes in a range from all tables. Copies nothing. */
    void dropShards(HashRange range);

    StateStatistics statistics();

    /**
     * Rows of one table that moved or are to move.
     *
     * @param rows slices of shared batches; immutable
     */
    record ShardPiece(String table, Batch rows) {}
}
