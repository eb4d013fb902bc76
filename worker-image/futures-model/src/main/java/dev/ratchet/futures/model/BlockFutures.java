/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import com.google.protobuf.ByteString;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.Block;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.State;
import java.util.BitSet;
import java.util.Optional;

/** Which futures are in a block, and how each of them looks by itself. Pure. */
public final class BlockFutures {

    private BlockFutures() {}

    /**
     * Whether futures like this one may be in a block: they have nothing of their own but an argument, which must be
     * small.
     */
    public static boolean allow(SubmittedFuture common) {
        SchedulingSpec schedulingSpec = common.getSchedulingSpec();
        return common.getUpstreamsCount() == 0
                && common.getActor().isEmpty()
                && common.getParent().isEmpty()
                && common.getArgumentChunks() == 0
                && (common.getArgumentKind() == ArgumentKind.ARGUMENT_KIND_NONE
                        || common.getArgumentKind() == ArgumentKind.ARGUMENT_KIND_VALUE)
                && schedulingSpec.getDelayMillis() == 0
                && schedulingSpec.getItemsAhead() == 0
                && schedulingSpec.getAttemptTimeoutMillis() == 0
                && !schedulingSpec.getIsolated()
                && !schedulingSpec.getExternalEffects()
                && !schedulingSpec.hasLocality()
                && !schedulingSpec.hasSession()
                && !schedulingSpec.hasRequirements();
    }

    /** How many futures a record stands for: 1, or those that are in the block. */
    public static int count(FutureRecordOrBuilder record) {
        return record.hasBlock() ? record.getBlock().getFutures() - left(record).cardinality() : 1;
    }

    /** Numbers of the futures that are in a block. */
    public static int[] numbers(FutureRecordOrBuilder block) {
        BitSet inside = new BitSet();
        inside.set(0, block.getBlock().getFutures());
        inside.andNot(left(block));
        return inside.stream().map(index -> index + 1).toArray();
    }

    /** Whether a future is in the block. */
    public static boolean contains(FutureRecordOrBuilder block, int number) {
        return block.hasBlock()
                && number >= 1
                && number <= block.getBlock().getFutures()
                && !left(block).get(number - 1);
    }

    /** Notes that a future has left its block, and has a record of its own. */
    public static void leave(Block.Builder block, int number) {
        BitSet left = BitSet.valueOf(block.getLeft().asReadOnlyByteBuffer());
        left.set(number - 1);
        block.setLeft(ByteString.copyFrom(left.toByteArray()));
    }

    /** Notes that all futures of the block have left it. */
    public static void leaveAll(Block.Builder block) {
        BitSet all = new BitSet();
        all.set(0, block.getFutures());
        block.setLeft(ByteString.copyFrom(all.toByteArray()));
    }

    /**
     * What the record of one of its futures would be.
     *
     * @param content its argument, or its result once it has one
     */
    public static FutureRecord.Builder view(FutureRecord block, Optional<ByteString> content) {
        FutureRecord.Builder view = block.toBuilder()
                .clearBlock()
                .clearArgumentChunks()
                .clearArgumentBytes()
                .clearResult();
        if (block.getState() == State.STATE_REALIZED) {
            view.setResult(Result.newBuilder().setInline(content.orElse(ByteString.EMPTY)));
        } else {
            content.ifPresent(view::setArgument);
        }
        return view;
    }

    private static BitSet left(FutureRecordOrBuilder block) {
        return BitSet.valueOf(block.getBlock().getLeft().asReadOnlyByteBuffer());
    }
}
