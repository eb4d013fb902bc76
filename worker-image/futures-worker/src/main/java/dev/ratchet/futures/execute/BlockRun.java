/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.record.BlockContent;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The futures of a block as what a group attempts. */
public final class BlockRun {

    private BlockRun() {}

    /** A future of a block: it needs nothing but its argument. */
    private record InBlock(Claimed claimed, LoadedFunction function, ByteString argument) implements AttemptGroup.Item {
        @Override
        public TaskCall.Inputs inputs(Map<FutureId, Optional<Outcome>> before) {
            return TaskCall.Inputs.withoutActor(function, argument::newInput, List.of(), Map.of());
        }
    }

    /**
     * Those that are in the block.
     *
     * @param record of the block, with the claim under which they run
     */
    public static List<AttemptGroup.Item> items(
            FutureId block, FutureRecord record, LoadedFunction function, List<ByteString> arguments) {
        FutureRecord each = BlockFutures.view(record, Optional.empty()).build();
        List<AttemptGroup.Item> items = new ArrayList<>();
        for (int number : BlockFutures.numbers(record)) {
            items.add(new InBlock(
                    new Claimed(BlockIds.future(block, number), each),
                    function,
                    BlockContent.argument(arguments, number)));
        }
        return items;
    }

    /** The outcome of a claim, which is that of each of its futures. */
    static Outcome outcome(Claimed claimed, Outcome each) {
        if (!claimed.record().hasBlock()) {
            return each;
        }
        Map<FutureId, Optional<Outcome>> all = new HashMap<>();
        for (int number : BlockFutures.numbers(claimed.record())) {
            all.put(BlockIds.future(claimed.id(), number), Optional.of(each));
        }
        return new Outcome.OfBlock(all);
    }
}
