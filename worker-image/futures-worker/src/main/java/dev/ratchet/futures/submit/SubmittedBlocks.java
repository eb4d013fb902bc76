/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.BlockRanges;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What blocks must be like that come from outside, so that none ever shares an id with another future. */
final class SubmittedBlocks {

    private SubmittedBlocks() {}

    /** What is wrong with a block that comes from outside, if anything is. */
    static Optional<String> problem(SubmittedBlock block) {
        if (!BlockIds.isBlock(Ids.of(block.getCommon().getId()))) {
            return Optional.of("This is not the id of a block.");
        }
        if (!BlockFutures.allow(block.getCommon())) {
            return Optional.of(
                    "Futures with upstreams, a parent, an actor, items, a delay, a time limit, a place or requirements"
                            + " of their own must be submitted each by itself.");
        }
        int arguments = block.getArgumentsCount();
        if (block.getFutures() < 1
                || block.getFutures() > BlockIds.FUTURES_MAX
                || (arguments > 1 && arguments != block.getFutures())) {
            return Optional.of("A block has 1 to " + BlockIds.FUTURES_MAX + " futures with one argument each, not "
                    + block.getFutures() + " with " + arguments + ".");
        }
        int bytes = block.getArgumentsList().stream().mapToInt(ByteString::size).sum();
        return bytes <= ValueSizes.PIECE_BYTES / 2
                ? Optional.empty()
                : Optional.of("The arguments of a block have at most " + ValueSizes.PIECE_BYTES / 2 + " bytes, not "
                        + bytes + ".");
    }

    /**
     * Refuses new blocks some of whose ids are taken: a client that has few futures for a block submits them singly,
     * under ids of one. Reads with conflict.
     */
    static CompletableFuture<Void> refuseTaken(
            FutureTransaction futures, Map<FutureId, SubmittedBlock> blocks, Map<FutureId, String> refused) {
        Map<FutureId, CompletableFuture<Boolean>> taken = new LinkedHashMap<>();
        for (FutureId id : blocks.keySet()) {
            taken.put(
                    id,
                    futures.transaction()
                            .getRange(BlockRanges.range(futures.keys().records, id), 1)
                            .asList()
                            .thenCombine(futures.load(id), (records, block) -> block.isEmpty() && !records.isEmpty()));
        }
        return AsyncUtil.whenAll(taken.values())
                .thenRun(() -> taken.forEach((id, isTaken) -> {
                    if (isTaken.join()) {
                        refused.put(id, "Futures with ids of this block were submitted singly. Take a new id.");
                    }
                }));
    }
}
