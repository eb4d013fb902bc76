/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.UnconsolidatedCursor;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Linear stages over the changes of one input: their increment is themselves (law L14), so nothing is kept. */
public final class Pipe extends Operator {

    private final RowPipe pipe;
    private final boolean ofSums;

    /** Of the input; null for all. Those that nobody reads may hold anything. */
    private final @Nullable BitSet columnsRead;

    /** What needs no copies of rows; null where the stages are of another kind. */
    private final @Nullable ArrayStages arrays;

    private final RowSchema source;

    /** What errors are of. */
    private RowView current = new RowBuffer(0);

    private Pipe(List<PipeStage> stages, RowSchema target, List<Operator> inputs, boolean ofSums) {
        super(target, inputs);
        this.columnsRead = Fusion.columnsRead(stages);
        this.source = inputs.get(0).output().schema();
        this.pipe = new RowPipe(
                stages, target, (failure, weight) -> fail(failure, Rows.text(source, current, columnsRead), weight));
        this.ofSums = ofSums;
        this.arrays = ofSums ? null : ArrayStages.of(stages, source, target);
    }

    /**
     * Runs stages over the rows of a node.
     *
     * @param target key and value of the output, the columns of the last stage in their order
     */
    public static Node of(Node input, List<PipeStage> stages, RowSchema target) {
        Fusion.Piped piped = new Fusion.Piped(stages);
        return of(
                        "pipe",
                        input,
                        stages,
                        target,
                        (context, inputs) -> piped.isRunBefore()
                                ? new Handed(target, inputs)
                                : new Pipe(stages, target, inputs, false))
                .withDetail(piped);
    }

    /** What is left of a pipe whose stages run in the operator before it. */
    private static final class Handed extends Operator {

        Handed(RowSchema target, List<Operator> inputs) {
            super(target, inputs);
        }

        @Override
        protected void evaluate() {
            forward(input(0));
        }
    }

    /**
     * Runs stages that make many rows of one over the rows of a node, equal rows of a step having become one before.
     */
    public static Node ofSums(Node input, List<PipeStage> stages, RowSchema target) {
        return of("pipe of sums", input, stages, target, (context, inputs) -> new Pipe(stages, target, inputs, true));
    }

    private static Node of(String kind, Node input, List<PipeStage> stages, RowSchema target, Node.Factory factory) {
        String description = stages.stream().map(PipeStage::description).collect(Collectors.joining("; "));
        List<List<Integer>> placements = input.placements();
        for (PipeStage stage : stages) {
            placements = placements.stream()
                    .map(stage::follow)
                    .filter(Objects::nonNull)
                    .toList();
        }
        Node node = new Node(kind, description, List.of(input), target, factory)
                .placedBy(placements)
                .shownAs(() -> StageText.of(stages));
        return stages.stream().allMatch(PipeStage::isTotal) ? node : node.failing();
    }

    @Override
    protected void evaluate() {
        UnconsolidatedRows unconsolidated = ofSums ? null : input(0).unconsolidatedOutput();
        UnconsolidatedRows inPlace = unconsolidated == null || arrays == null ? null : arrays.run(unconsolidated);
        if (inPlace != null) {
            emit(inPlace);
            return;
        }
        if (unconsolidated == null) {
            push(input(0).output().cursor());
        } else {
            push(unconsolidated.cursor());
        }
        emit(pipe.give());
    }

    private void push(BatchCursor rows) {
        current = rows;
        for (; rows.valid(); rows.next()) {
            pipe.push(rows, rows.weight());
        }
    }

    private void push(UnconsolidatedCursor rows) {
        current = rows;
        for (; rows.valid(); rows.next()) {
            pipe.push(rows, rows.weight());
        }
    }
}
