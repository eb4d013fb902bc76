/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.follow;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import java.util.concurrent.CompletableFuture;

/** What the coordinator has ordered: records of nothing but defaults where there is none. */
public record Orders(CircuitRecord circuit, RunRecord run) {

    public static final Orders NONE = new Orders(CircuitRecord.getDefaultInstance(), RunRecord.getDefaultInstance());

    public static CompletableFuture<Orders> read(ReadTransaction transaction, DataflowStore store) {
        CompletableFuture<CircuitRecord> circuit =
                DataflowStore.read(transaction, store.circuit(), CircuitRecord.getDefaultInstance());
        return DataflowStore.read(transaction, store.run(), RunRecord.getDefaultInstance())
                .thenCombine(circuit, (run, found) -> new Orders(found, run));
    }

    /** Whether steps of a run are to be taken. */
    public boolean isInForce() {
        return run.getNumber() > 0 && !run.getEnded() && run.getLife() == circuit.getLife();
    }
}
