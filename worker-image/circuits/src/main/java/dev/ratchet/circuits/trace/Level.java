/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

import dev.ratchet.circuits.batch.BatchMerge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batches of about one size, and the merge of some of them. Until the merge is complete its inputs are what counts. */
final class Level {

    final ArrayDeque<Piece> waiting = new ArrayDeque<>();
    List<Piece> merging = List.of();

    @Nullable
    BatchMerge merge;

    /** Takes the batches that wait, oldest first, up to a number. */
    List<Piece> take(int limit) {
        List<Piece> taken = new ArrayList<>();
        while (!waiting.isEmpty() && taken.size() < limit) {
            taken.add(waiting.remove());
        }
        return taken;
    }

    /** Gives up the merge; its inputs wait again. */
    void abandon() {
        BatchMerge running = merge;
        if (running != null) {
            running.abandon();
            for (Piece input : merging.reversed()) {
                waiting.addFirst(input);
            }
            merging = List.of();
            merge = null;
        }
    }
}
