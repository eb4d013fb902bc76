/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.sink;

import com.apple.foundationdb.Transaction;
import dev.ratchet.dataflow.control.TermFence;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How far outputs are, as one term reads and moves it. Immutable. */
final class SinkPositions {

    private static final long TIMEOUT_MILLIS = 5_000;

    private final DataflowStore store;
    private final TermFence fence;

    SinkPositions(DataflowStore store, TermFence fence) {
        this.store = store;
        this.fence = fence;
    }

    long term() {
        return fence.term();
    }

    /** Where an output is; empty until the coordinator has made it a consumer. */
    CompletableFuture<Optional<ConsumerRecord>> read(String name) {
        return store.database().runAsync(transaction -> fenced(transaction)
                .thenCompose(held -> transaction.get(key(name)))
                .thenApply(bytes -> Optional.ofNullable(store.consumers().decodeOrNull(bytes))));
    }

    /** Moves an output on; false where it is elsewhere. */
    CompletableFuture<Boolean> move(String name, ConsumerRecord from, ConsumerRecord to) {
        return store.database().runAsync(transaction -> fenced(transaction)
                .thenCompose(held -> transaction.get(key(name)))
                .thenApply(bytes -> {
                    ConsumerRecord now = store.consumers().decodeOrNull(bytes);
                    if (to.equals(now)) {
                        // A former try was committed, and its answer was lost.
                        return true;
                    }
                    if (!from.equals(now)) {
                        return false;
                    }
                    DataflowStore.write(transaction, store.consumers(), to, DataflowStore.SINK_PREFIX + name);
                    return true;
                }));
    }

    /** The position of the input up to which a step has it, as text. */
    CompletableFuture<String> inputOf(long step) {
        return store.database()
                .readAsync(transaction ->
                        DataflowStore.read(transaction, store.divisions(), DivisionRecord.getDefaultInstance(), step))
                .thenApply(division -> LogPosition.shown(LogPosition.decoded(division.getEnd())));
    }

    private CompletableFuture<Void> fenced(Transaction transaction) {
        transaction.options().setTimeout(TIMEOUT_MILLIS);
        return fence.require(transaction);
    }

    private byte[] key(String name) {
        return store.consumers().key(DataflowStore.SINK_PREFIX + name);
    }
}
