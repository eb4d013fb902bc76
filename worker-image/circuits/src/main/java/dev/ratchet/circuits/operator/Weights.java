/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import java.util.Locale;

/**
 * A {@link WeightLaw} over one or two arrangements of one schema: for each row that changed, the weight by the law now
 * less that before (law L16). Reads only rows that changed.
 */
public final class Weights extends Operator {

    private final WeightLaw law;
    private final Arrange[] sides;
    private final BatchBuilder builder;
    private final int valueColumns;

    private Weights(WeightLaw law, RowSchema schema, List<Operator> inputs) {
        super(schema, inputs);
        this.law = law;
        this.sides = inputs.stream().map(Arrange.class::cast).toArray(Arrange[]::new);
        this.builder = new BatchBuilder(schema);
        this.valueColumns = schema.value().size();
    }

    /**
     * Applies a law.
     *
     * @param arrangements one, or two where the law reads both
     */
    public static Node of(WeightLaw law, List<Node> arrangements) {
        RowSchema schema = arrangements.get(0).schema();
        return new Node(
                law.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                "",
                arrangements,
                schema,
                (context, inputs) -> context.nested()
                        ? new NestedGroup(new WeightFunction(law, schema, inputs.size()), context, schema, inputs)
                        : new Weights(law, schema, inputs));
    }

    @Override
    protected void evaluate() {
        MergedCursor left = sides[0].probeBefore();
        if (sides.length == 1) {
            for (BatchCursor row = sides[0].output().cursor(); row.valid(); row.next()) {
                change(row, weightOf(left, row), row.weight(), 0, 0);
            }
        } else {
            MergedCursor right = sides[1].probeBefore();
            evaluateBoth(left, right);
            count(right);
        }
        count(left);
        emit(builder.build());
    }

    private void evaluateBoth(MergedCursor left, MergedCursor right) {
        Cursor leftChange = sides[0].output().probe();
        Cursor rightChange = sides[1].output().probe();
        for (BatchCursor row = sides[0].output().cursor(); row.valid(); row.next()) {
            change(row, weightOf(left, row), row.weight(), weightOf(right, row), weightOf(rightChange, row));
        }
        for (BatchCursor row = sides[1].output().cursor(); row.valid(); row.next()) {
            // A row that changed on both sides is done with the left.
            if (weightOf(leftChange, row) == 0) {
                change(row, weightOf(left, row), 0, weightOf(right, row), row.weight());
            }
        }
    }

    private void change(BatchCursor row, long left, long leftChange, long right, long rightChange) {
        long now = law.of(Math.addExact(left, leftChange), Math.addExact(right, rightChange));
        builder.addRow(row, row.hash(), now - law.of(left, right));
    }

    private long weightOf(Cursor cursor, BatchCursor row) {
        if (!cursor.seekKey(row.hash(), row)) {
            return 0;
        }
        if (valueColumns > 0) {
            cursor.seekValue(row, valueColumns);
            if (!cursor.valid() || Rows.compareValues(schema(), cursor, row) != 0) {
                return 0;
            }
        }
        return cursor.weight();
    }
}
