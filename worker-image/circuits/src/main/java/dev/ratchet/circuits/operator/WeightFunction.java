/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.type.RowSchema;

/** A {@link WeightLaw} as a function of groups; of two inputs only where a group is one row. */
final class WeightFunction implements GroupFunction {

    private final WeightLaw law;

    WeightFunction(WeightLaw law, RowSchema schema, int inputs) {
        this.law = law;
        if (inputs > 1 && !schema.value().isEmpty()) {
            throw new IllegalArgumentException("The law " + law + " over two inputs needs whole rows as keys");
        }
    }

    @Override
    public void apply(Cursor[] inputs, RowSink out) {
        Cursor left = inputs[0];
        if (inputs.length == 1) {
            for (; left.valid(); left.next()) {
                push(left, left.weight(), 0, out);
            }
            return;
        }
        Cursor right = inputs[1];
        if (left.valid() || right.valid()) {
            long leftWeight = left.valid() ? left.weight() : 0;
            long rightWeight = right.valid() ? right.weight() : 0;
            push(left.valid() ? left : right, leftWeight, rightWeight, out);
        }
    }

    private void push(Cursor row, long left, long right, RowSink out) {
        long weight = law.of(left, right);
        if (weight != 0) {
            out.push(row, weight);
        }
    }
}
