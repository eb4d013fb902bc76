/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.nexmark.ChangeReader;
import dev.ratchet.bench.nexmark.NexmarkQuery;
import dev.ratchet.bench.nexmark.NexmarkTable;
import dev.ratchet.bench.nexmark.SideInput;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.TableInput;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Puts changes into the tables of a circuit that its query reads. One thread at a time. */
final class NexmarkFeed {

    private static final long MICROS_PER_MILLI = 1_000;

    private final Map<NexmarkTable, TableInput> inputs = new EnumMap<>(NexmarkTable.class);

    NexmarkFeed(Circuit circuit, NexmarkQuery query) {
        for (NexmarkTable table : NexmarkTable.values()) {
            if (query.reads(table.title())) {
                inputs.put(table, circuit.input(table.title()));
            }
        }
        if (query.reads("side_input")) {
            TableInput side = circuit.input("side_input");
            for (long id = 0; id < SideInput.ROWS; id++) {
                side.setLong(0, id);
                side.setString(1, SideInput.label(id));
                side.add(1);
            }
        }
    }

    /** Adds the change that a reader is at, where it is of a table that is read. */
    void add(ChangeReader change) {
        TableInput input = inputs.get(change.table());
        if (input == null) {
            return;
        }
        List<NexmarkTable.Column> columns = change.table().columns();
        for (int i = 0; i < columns.size(); i++) {
            switch (columns.get(i).kind()) {
                case NUMBER -> input.setLong(i, change.numberAt(i));
                case TIME -> input.setLong(i, change.numberAt(i) * MICROS_PER_MILLI);
                case TEXT -> input.setBytes(i, change.bytes(), change.offsetAt(i), change.lengthAt(i));
            }
        }
        input.add(change.weight());
    }
}
