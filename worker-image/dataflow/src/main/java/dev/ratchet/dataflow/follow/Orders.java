/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.follow;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What the coordinator has ordered: records of nothing but defaults where there is none.
 *
 * @param consumers by name: who takes views step by step. A position may be an older one than it is, and never a later
 *     one
 */
public record Orders(CircuitRecord circuit, RunRecord run, Map<String, ConsumerRecord> consumers) {

    public static final Orders NONE =
            new Orders(CircuitRecord.getDefaultInstance(), RunRecord.getDefaultInstance(), Map.of());

    public static CompletableFuture<Orders> read(ReadTransaction transaction, DataflowStore store) {
        CompletableFuture<CircuitRecord> circuit =
                DataflowStore.read(transaction, store.circuit(), CircuitRecord.getDefaultInstance());
        // Positions only grow, so that a change of one is no reason to decide anew.
        CompletableFuture<Map<String, ConsumerRecord>> consumers =
                DataflowStore.byName(transaction.snapshot(), store.consumers());
        return DataflowStore.read(transaction, store.run(), RunRecord.getDefaultInstance())
                .thenCombine(circuit, (run, found) -> new Orders(found, run, Map.of()))
                .thenCombine(consumers, (orders, all) -> new Orders(orders.circuit(), orders.run(), all));
    }

    /** For each view that somebody takes step by step the last one that all such have. */
    public Map<String, Long> consumedSteps() {
        Map<String, Long> steps = new HashMap<>();
        consumers.values().stream()
                .filter(consumer -> consumer.getStop().isEmpty() && consumer.getLife() == circuit.getLife())
                .forEach(consumer -> steps.merge(consumer.getView(), consumer.getStep(), Math::min));
        return steps;
    }

    /** Whether steps of a run are to be taken. */
    public boolean isInForce() {
        return run.getNumber() > 0 && !run.getEnded() && run.getLife() == circuit.getLife();
    }
}
