/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.record.BlockRanges;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Table;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/** Blocks against the futures that have left them, and against their results. */
final class BlockChecks {

    private BlockChecks() {}

    /** What a block says of those that have left it, and of those that have not. */
    static CompletableFuture<Void> judge(
            CheckPage page, FutureKeys keys, KeyValue row, FutureId id, FutureRecord block) {
        int futures = block.getBlock().getFutures();
        int left = futures - BlockFutures.count(block);
        int removed = block.getBlock().getRemoved();
        page.require(
                BlockIds.isBlock(id) && futures >= 1 && futures <= BlockIds.FUTURES_MAX && removed < futures,
                keys.records,
                row.getKey(),
                "is no block: futures=" + futures + " removed=" + removed);
        return page.first(BlockRanges.range(keys.records, id), futures + 1)
                .thenAccept(records -> {
                    boolean agree = records.size() == left - removed
                            && records.stream()
                                    .allMatch(record -> !BlockFutures.contains(
                                            block,
                                            BlockIds.number(new FutureId(keys.records
                                                    .elements(record.getKey())
                                                    .getUUID(0)))));
                    page.require(
                            agree,
                            keys.records,
                            row.getKey(),
                            "says that " + left + " have left it, " + removed + " of them removed, and "
                                    + records.size() + " have records of their own");
                })
                .thenCompose(unused -> block.getState() == State.STATE_REALIZED && left < futures
                        ? page.results(id).thenAccept(runs -> {
                            BitSet missing = new BitSet();
                            for (int number : BlockFutures.numbers(block)) {
                                missing.set(number);
                            }
                            runs.forEach(run -> missing.clear(run.getFirst(), run.getFirst() + run.getFutures()));
                            page.require(
                                    missing.isEmpty(),
                                    keys.records,
                                    row.getKey(),
                                    "is REALIZED and lacks results of " + missing);
                        })
                        : CompletableFuture.completedFuture(null));
    }

    /** Results belong to a block that is REALIZED. */
    record Results(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.results;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            return page.record(new FutureId(keys.results.elements(row.getKey()).getUUID(0)))
                    .thenAccept(block -> page.require(
                            block.isPresent()
                                    && block.get().getState() == State.STATE_REALIZED
                                    && BlockFutures.count(block.get()) > 0,
                            keys.results,
                            row.getKey(),
                            "are results of a block that is " + HolderChecks.state(block)));
        }
    }
}
