/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The ids of futures for calls that act on what is recorded: they are told once nothing of the futures is on its way
 * any more, so that a program may name what it has just submitted.
 */
final class RecordedIds {

    private static final int PER_CALL_MAX = 1_000;

    private RecordedIds() {}

    /** Waits until each is recorded or refused, and gives them in pieces that fit into one call. */
    static List<List<ByteString>> of(Collection<? extends DurableFuture<?>> futures) {
        List<? extends DurableFuture<?>> all = List.copyOf(futures);
        all.forEach(future ->
                GatewayConnection.await(future.submitted().toCompletableFuture().handle((done, failure) -> true)));
        return pieces(all.stream().map(DurableFuture::id).toList()).stream()
                .map(piece -> piece.stream().map(Ids::bytes).toList())
                .toList();
    }

    /** In pieces that fit into one call, and where that is possible without a border within a block. */
    static List<List<FutureId>> pieces(List<FutureId> ids) {
        List<List<FutureId>> pieces = new ArrayList<>();
        for (int from = 0; from < ids.size(); ) {
            int full = Math.min(ids.size(), from + PER_CALL_MAX);
            int end = full;
            while (end > from && end < ids.size() && BlockIds.areTogether(ids.get(end - 1), ids.get(end))) {
                end--;
            }
            end = end == from ? full : end;
            pieces.add(ids.subList(from, end));
            from = end;
        }
        return pieces;
    }
}
