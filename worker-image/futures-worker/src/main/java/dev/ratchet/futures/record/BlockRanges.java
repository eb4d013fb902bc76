/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import static dev.ratchet.futures.model.BlockIds.FUTURES_MAX;
import static dev.ratchet.futures.model.BlockIds.future;
import static dev.ratchet.futures.model.BlockIds.isBlock;

import com.apple.foundationdb.Range;
import dev.ratchet.client.FutureId;
import dev.ratchet.store.keyspace.Table;

/** The keys of the futures of a block, which are neighbours in every table because their ids are. */
public final class BlockRanges {

    private BlockRanges() {}

    /** The keys of a table that begin with this id; of a block those that begin with the id of one of its futures. */
    public static Range range(Table<?> table, FutureId id) {
        return isBlock(id) ? range(table, id, 1, FUTURES_MAX) : table.range(id.value());
    }

    /** The keys of a table that begin with the id of one of the futures {@code first} to {@code last} of a block. */
    public static Range range(Table<?> table, FutureId block, int first, int last) {
        return new Range(
                table.key(future(block, first).value()),
                table.range(future(block, last).value()).end);
    }
}
