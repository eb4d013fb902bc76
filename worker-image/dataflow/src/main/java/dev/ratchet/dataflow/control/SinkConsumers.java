/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.Transaction;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.FilesSink;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.ProgramViews;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes the outputs that the configuration names consumers of the circuit, which waits for them from then on, and ends
 * those that it does not name any more.
 */
final class SinkConsumers {

    private SinkConsumers() {}

    /**
     * An output that is added begins behind the last step that is divided: in a circuit that has taken none, with the
     * first. One that was there in another life of the circuit begins with the first that this life takes, though its
     * steps were divided before.
     *
     * @return false where nothing is to be written
     */
    static boolean apply(
            Transaction transaction,
            DataflowStore store,
            CircuitRecord circuit,
            ClusterRecords records,
            DataflowSettings settings,
            CompiledProgram program) {
        boolean isSameLife = circuit.getLife() == records.circuit().getLife();
        long step = isSameLife ? records.lastStep() : circuit.getFirstStep();
        Map<String, ConsumerRecord> wanted = new HashMap<>();
        for (FilesSink sink : settings.outputs()) {
            String name = DataflowStore.SINK_PREFIX + sink.name();
            ConsumerRecord before = records.consumers().getOrDefault(name, ConsumerRecord.getDefaultInstance());
            // Without its view there is nothing that could be missed.
            ProgramViews.named(program, sink.view())
                    .map(Relation::name)
                    .ifPresent(view -> wanted.put(name, position(before, view, circuit, step)));
        }
        boolean changed = false;
        for (String name : records.consumers().keySet()) {
            if (name.startsWith(DataflowStore.SINK_PREFIX) && !wanted.containsKey(name)) {
                store.consumers().clear(transaction, name);
                changed = true;
            }
        }
        for (Map.Entry<String, ConsumerRecord> consumer : wanted.entrySet()) {
            String name = consumer.getKey();
            if (!consumer.getValue().equals(records.consumers().get(name))) {
                // Conflicts with a move of the position, whose file would be forgotten.
                transaction.addReadConflictKey(store.consumers().key(name));
                DataflowStore.write(transaction, store.consumers(), consumer.getValue(), name);
                changed = true;
            }
        }
        return changed;
    }

    private static ConsumerRecord position(ConsumerRecord before, String view, CircuitRecord circuit, long step) {
        boolean isSameLife = before.getLife() == circuit.getLife();
        if (before.getView().equals(view) && isSameLife) {
            return before;
        }
        return before.toBuilder()
                .setView(view)
                .setLife(circuit.getLife())
                .setStep(before.getLife() == 0 || isSameLife ? step : circuit.getFirstStep())
                .build();
    }
}
