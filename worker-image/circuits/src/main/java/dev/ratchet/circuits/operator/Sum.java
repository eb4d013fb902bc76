/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;

/** The sum of streams of one schema: UNION ALL. */
public final class Sum extends Operator {

    private final int count;

    private Sum(RowSchema schema, List<Operator> inputs) {
        super(schema, inputs);
        this.count = inputs.size();
    }

    public static Node of(List<Node> inputs) {
        RowSchema schema = inputs.get(0).schema();
        List<List<Integer>> placements = new ArrayList<>(inputs.get(0).placements());
        inputs.forEach(input -> placements.retainAll(input.placements()));
        return new Node("sum", "", inputs, schema, (context, operators) -> new Sum(schema, operators))
                .placedBy(placements);
    }

    @Override
    protected void evaluate() {
        List<Batch> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            parts.add(input(i).output());
        }
        emit(BatchMerge.merge(schema(), parts));
    }
}
