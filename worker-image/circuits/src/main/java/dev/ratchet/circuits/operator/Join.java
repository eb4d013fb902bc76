/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Iteration;
import dev.ratchet.circuits.circuit.LaneContext;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The inner join of two arrangements with equal keys, by the bilinear rule (law L15): the change of the left with the
 * right as it was, plus the change of the right with the left as it is. Reads only keys that changed.
 *
 * <p>In a recursion the right as it was is that of all steps and iterations before, whatever the number of the
 * iteration its rows came in; a pair whose other row comes later than the current iteration waits for it. So the four
 * terms of the nested rule (law L24) are two walks.
 */
public final class Join extends Operator {

    private final Spec spec;
    private final Iteration iteration;
    private final TreeMap<Integer, RowPipe> later = new TreeMap<>();
    private final Arrange left;
    private final Arrange right;
    private final JoinedRow joined;
    private final int rangeColumn;
    private final RowBuffer bound;
    private RowPipe pipe;

    private Join(Spec spec, LaneContext context, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.spec = spec;
        this.iteration = context.iteration();
        this.left = (Arrange) inputs.get(0);
        this.right = (Arrange) inputs.get(1);
        this.joined = new JoinedRow(spec.leftColumns(), spec.rightColumns());
        this.pipe = new RowPipe(spec.stages(), target);
        this.rangeColumn = left.trace().schema().keyCount();
        this.bound = new RowBuffer(rangeColumn + 1);
    }

    /**
     * What a condition says of the first value columns of both arrangements, so that rows beyond need not be read. Both
     * are of LONG storage and of one type; where one is NULL there is no pair.
     */
    public enum Range {
        NONE,
        /** The left one is at least the right one, or over it. */
        LEFT_AT_LEAST,
        /** The left one is at most the right one, or below it. */
        LEFT_AT_MOST
    }

    /**
     * What a join makes of a pair of rows.
     *
     * @param leftColumns taken from the left arrangement, as numbered there
     * @param rightColumns taken from the right one, behind those of the left
     * @param range what pairs meet that the stages let through
     * @param stages run over the pairs
     */
    public record Spec(int[] leftColumns, int[] rightColumns, Range range, List<PipeStage> stages) {

        Spec with(List<PipeStage> more) {
            return new Spec(
                    leftColumns,
                    rightColumns,
                    range,
                    Stream.concat(stages.stream(), more.stream()).toList());
        }

        String description() {
            return Arrays.toString(leftColumns)
                    + Arrays.toString(rightColumns)
                    + (range == Range.NONE ? "" : range)
                    + stages.stream().map(PipeStage::description).collect(Collectors.joining("; "));
        }

        /** For people: what pairs meet, what is taken of them, and what is done with it. */
        String text(int keyCount) {
            List<String> conditions = new ArrayList<>();
            for (int column = 0; column < keyCount; column++) {
                conditions.add("left." + ShownSql.column(column) + " = right." + ShownSql.column(column));
            }
            if (range != Range.NONE) {
                conditions.add("left." + ShownSql.column(keyCount)
                        + (range == Range.LEFT_AT_LEAST ? " >= right." : " <= right.")
                        + ShownSql.column(keyCount));
            }
            List<String> taken = new ArrayList<>();
            IntStream.of(leftColumns).forEach(column -> taken.add("left." + ShownSql.column(column)));
            IntStream.of(rightColumns).forEach(column -> taken.add("right." + ShownSql.column(column)));
            List<String> shown = taken;
            List<PipeStage> rest = stages;
            while (!rest.isEmpty() && rest.get(0) instanceof PipeStage.Project project) {
                shown = project.columns().stream().map(shown::get).toList();
                rest = rest.subList(1, rest.size());
            }
            return (conditions.isEmpty() ? "CROSS" : "INNER ON " + String.join(" AND ", conditions))
                    + "; SELECT " + String.join(", ", shown)
                    + (rest.isEmpty() ? "" : "; " + StageText.of(rest));
        }
    }

    /** Joins two arrangements. */
    public static Node of(Node left, Node right, Spec spec, RowSchema target) {
        return new Node(
                        "join",
                        spec.description(),
                        List.of(left, right),
                        target,
                        (context, inputs) -> new Join(spec, context, target, inputs))
                .shownAs(() -> spec.text(left.schema().keyCount()))
                .withDetail((Fusion.Emitter) (more, narrower) -> of(left, right, spec.with(more), narrower));
    }

    @Override
    protected boolean wanted() {
        return super.wanted() || nextIteration() == iteration.number();
    }

    @Override
    protected int nextIteration() {
        return later.isEmpty() ? Integer.MAX_VALUE : later.firstKey();
    }

    @Override
    protected void evaluate() {
        RowPipe waiting = later.remove(iteration.number());
        pipe = waiting == null ? pipe : waiting;
        Batch leftChange = left.output();
        if (!leftChange.isEmpty()) {
            MergedCursor others = right.probeBefore();
            pair(leftChange, right, others, false);
            count(others);
        }
        Batch rightChange = right.output();
        if (!rightChange.isEmpty()) {
            MergedCursor others = left.probeAfter();
            pair(rightChange, left, others, true);
            count(others);
        }
        emit(pipe.give());
    }

    private void pair(Batch change, Arrange side, MergedCursor others, boolean changeIsRight) {
        boolean ranged = spec.range() != Range.NONE;
        boolean fromBound = ranged && changeIsRight == (spec.range() == Range.LEFT_AT_LEAST);
        boolean sought = false;
        long hash = 0;
        for (BatchCursor row = change.cursor(); row.valid(); row.next()) {
            if (!sought || row.hash() != hash || !isAgainAt(others, change, row)) {
                others.seekKey(row.hash(), row);
            }
            sought = true;
            hash = row.hash();
            if (ranged && row.isNull(rangeColumn)) {
                continue;
            }
            if (fromBound) {
                bound.setLong(rangeColumn, row.longAt(rangeColumn));
                others.seekValue(bound, 1);
            }
            for (; others.valid(); others.next()) {
                if (ranged
                        && !fromBound
                        && !others.isNull(rangeColumn)
                        && others.longAt(rangeColumn) > row.longAt(rangeColumn)) {
                    break;
                }
                RowView pair = changeIsRight ? joined.of(others, row) : joined.of(row, others);
                pipeAt(side.iterationOf(others)).push(pair, Math.multiplyExact(row.weight(), others.weight()));
            }
        }
    }

    /** Goes back to the rows sought last, where they are those with the key of a row. */
    private static boolean isAgainAt(MergedCursor others, Batch change, BatchCursor row) {
        others.rewind(null);
        return others.valid() && Rows.sameKey(change.schema(), row, others);
    }

    /** Where a pair goes: in a recursion it comes to be in the later of the iterations of its two rows. */
    private RowPipe pipeAt(int iterationOfOther) {
        return iterationOfOther <= iteration.number()
                ? pipe
                : later.computeIfAbsent(iterationOfOther, at -> new RowPipe(spec.stages(), schema()));
    }
}
