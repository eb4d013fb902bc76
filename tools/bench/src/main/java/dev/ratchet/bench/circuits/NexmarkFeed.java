/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.nexmark.NexmarkChangeReader;
import dev.ratchet.bench.nexmark.NexmarkQuery;
import dev.ratchet.bench.nexmark.SideInput;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Puts changes into the tables of a circuit that its query reads. One thread at a time. */
public final class NexmarkFeed {

    private static final long MICROS_PER_MILLI = 1_000;

    /** By the codes of tables; null where a table is not read. */
    private final @Nullable Fed[] tables = new Fed[NexmarkTable.values().length];

    /** The columns of a table that the program wants. */
    private record Fed(TableInput input, int[] columns, NexmarkTable.Kind[] kinds) {}

    /** Finds the tables that the query reads, and fills the one of labels, where it reads that. */
    public NexmarkFeed(Circuit circuit, NexmarkQuery query) {
        for (NexmarkTable table : NexmarkTable.values()) {
            if (query.reads(table.title())) {
                TableInput input = circuit.input(table.title());
                int[] columns = IntStream.range(0, table.columns().size())
                        .filter(input::isWanted)
                        .toArray();
                NexmarkTable.Kind[] kinds = IntStream.of(columns)
                        .mapToObj(column -> table.columns().get(column).kind())
                        .toArray(NexmarkTable.Kind[]::new);
                tables[table.code()] = new Fed(input, columns, kinds);
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
    public void add(NexmarkChangeReader change) {
        Fed fed = tables[change.table().code()];
        if (fed == null) {
            return;
        }
        TableInput input = fed.input;
        for (int i = 0; i < fed.columns.length; i++) {
            int column = fed.columns[i];
            switch (fed.kinds[i]) {
                case NUMBER -> input.setLong(column, change.numberAt(column));
                case TIME -> input.setLong(column, change.numberAt(column) * MICROS_PER_MILLI);
                case TEXT -> input.setBytes(column, change.bytes(), change.offsetAt(column), change.lengthAt(column));
            }
        }
        input.add(change.weight());
    }
}
