/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.futures.record.Ids;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

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
        List<ByteString> ids =
                all.stream().map(future -> Ids.bytes(future.id())).toList();
        int pieces = (ids.size() + PER_CALL_MAX - 1) / PER_CALL_MAX;
        return IntStream.range(0, pieces)
                .mapToObj(piece -> ids.subList(piece * PER_CALL_MAX, Math.min(ids.size(), (piece + 1) * PER_CALL_MAX)))
                .toList();
    }
}
