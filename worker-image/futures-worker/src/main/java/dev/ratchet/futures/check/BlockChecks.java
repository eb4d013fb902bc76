/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.record.BlockRanges;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/** Blocks against the futures that have left them, and against their results. */
final class BlockChecks {

    private BlockChecks() {}

    /** What a block says of those that have left it, and of those that have not. */
    static CompletableFuture<Void> judge(
            CheckPage page, FutureKeys keys, CheckedRow row, FutureId id, FutureRecord block) {
        int futures = block.getBlock().getFutures();
        int left = futures - BlockFutures.count(block);
        int removed = block.getBlock().getRemoved();
        row.require(
                BlockIds.isBlock(id) && futures >= 1 && futures <= BlockIds.FUTURES_MAX && removed < futures,
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
                    row.require(
                            agree,
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
                            row.require(missing.isEmpty(), "is REALIZED and lacks results of " + missing);
                        })
                        : CompletableFuture.completedFuture(null));
    }

    /** Results belong to a block that is REALIZED. */
    static TableCheck results(FutureKeys keys) {
        return TableCheck.of(keys.results, (page, row) -> {
            return page.record(new FutureId(row.key().getUUID(0)))
                    .thenAccept(block -> row.require(
                            block.isPresent()
                                    && block.get().getState() == State.STATE_REALIZED
                                    && BlockFutures.count(block.get()) > 0,
                            "are results of a block that is " + HolderChecks.state(block)));
        });
    }
}
