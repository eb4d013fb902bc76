/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.operator.PipeStage;
import dev.ratchet.circuits.operator.Upsert;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The rows of a table that are there when each takes the place of the one with its key. */
final class Upserts {

    private Upserts() {}

    /** @param given columns of the table, then the position of the row in its step */
    static Stream of(Stream given, List<Integer> key) {
        int position = given.columns().size() - 1;
        List<Integer> order = new ArrayList<>(key);
        order.add(position);
        IntStream.range(0, position).filter(column -> !key.contains(column)).forEach(order::add);
        List<ColumnType> types = order.stream().map(given.columns()::get).toList();
        RowSchema byKey = new RowSchema(types.subList(0, key.size()), types.subList(key.size(), types.size()));
        Node rows = given.nodes().exchange(given.piped(List.of(new PipeStage.Project(order)), byKey));
        List<ColumnType> table = given.columns().subList(0, position);
        return given.of(Upsert.of(rows, key, table).placedBy(List.of(key)), table);
    }
}
