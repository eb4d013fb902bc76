/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The inner join of two arrangements with equal keys, by the bilinear rule (law L15): the change of the left with the
 * right as it was, plus the change of the right with the left as it is. Reads only keys that changed.
 */
public final class Join extends Operator {

    private final Arrange left;
    private final Arrange right;
    private final JoinedRow joined;
    private final RowPipe pipe;

    private Join(Spec spec, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.left = (Arrange) inputs.get(0);
        this.right = (Arrange) inputs.get(1);
        this.joined = new JoinedRow(spec.leftColumns(), spec.rightColumns());
        this.pipe = new RowPipe(spec.stages(), target);
    }

    /**
     * What a join makes of a pair of rows.
     *
     * @param leftColumns taken from the left arrangement, as numbered there
     * @param rightColumns taken from the right one, behind those of the left
     * @param stages run over the pairs
     */
    public record Spec(int[] leftColumns, int[] rightColumns, List<PipeStage> stages) {

        String description() {
            return Arrays.toString(leftColumns)
                    + Arrays.toString(rightColumns)
                    + stages.stream().map(PipeStage::description).collect(Collectors.joining("; "));
        }
    }

    /** Joins two arrangements. */
    public static Node of(Node left, Node right, Spec spec, RowSchema target) {
        return new Node(
                "join",
                spec.description(),
                List.of(left, right),
                target,
                (context, inputs) -> new Join(spec, target, inputs));
    }

    @Override
    protected void evaluate() {
        Batch leftChange = left.output();
        if (!leftChange.isEmpty()) {
            pair(leftChange, right.probeBefore(), false);
        }
        Batch rightChange = right.output();
        if (!rightChange.isEmpty()) {
            pair(rightChange, left.probeAfter(), true);
        }
        emit(pipe.build());
    }

    private void pair(Batch change, MergedCursor others, boolean changeIsRight) {
        for (BatchCursor row = change.cursor(); row.valid(); row.next()) {
            others.seekKey(row.hash(), row);
            for (; others.valid(); others.next()) {
                RowView pair = changeIsRight ? joined.of(others, row) : joined.of(row, others);
                pipe.push(pair, Math.multiplyExact(row.weight(), others.weight()));
            }
        }
    }
}
