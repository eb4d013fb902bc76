/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowWalk;
import dev.ratchet.circuits.batch.WriteBuffer;
import dev.ratchet.circuits.circuit.Iteration;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
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
 * right as it was, plus the change of the right with the left as it is. Reads only keys that changed. Where all rows of
 * one side come in the first step, the other is not remembered, and its change meets that side as it is.
 *
 * <p>In a recursion the right as it was is that of all steps and iterations before, whatever the number of the
 * iteration its rows came in; a pair whose other row comes later than the current iteration waits for it. So the four
 * terms of the nested rule (law L24) are two walks.
 */
public final class Join extends Operator {

    private final Spec spec;
    private final List<PipeStage> stages;
    private final Iteration iteration;
    private final TreeMap<Integer, RowPipe> later = new TreeMap<>();
    private final Arrange left;
    private final Arrange right;
    private final JoinedRow joined;
    private final int rangeColumn;
    private final RowBuffer bound;
    private RowPipe pipe;

    private Join(
            Spec spec, List<PipeStage> stages, WorkerThreadContext context, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.spec = spec;
        this.stages = stages;
        this.iteration = context.iteration();
        this.left = (Arrange) inputs.get(0);
        this.right = (Arrange) inputs.get(1);
        this.joined = new JoinedRow(spec.leftColumns(), spec.rightColumns());
        this.pipe = new RowPipe(stages, target);
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
        Joined joined = new Joined(left, right, spec, target);
        return new Node("join", spec.description(), List.of(left, right), target, joined::create)
                .shownAs(() -> spec.text(left.schema().keyCount()))
                .withDetail(joined);
    }

    /** What is joined, and what becomes of the pairs; complete when the circuit is made. */
    static final class Joined implements Fusion.Emitter {
        private final Node left;
        private final Node right;
        private final Spec spec;
        private List<PipeStage> stages;
        private RowSchema target;

        private Joined(Node left, Node right, Spec spec, RowSchema target) {
            this.left = left;
            this.right = right;
            this.spec = spec;
            this.stages = spec.stages();
            this.target = target;
        }

        @Override
        public Node with(List<PipeStage> more, RowSchema narrower) {
            return of(left, right, spec.with(more), narrower);
        }

        /** Whether it reads only some rows of a key, which lie in order. */
        boolean isRanged() {
            return spec.range() != Range.NONE;
        }

        /** Lets the operator run stages of the pipe behind it, which then only hands on what it gives. */
        void runAlso(List<PipeStage> more, RowSchema given) {
            List<PipeStage> all = new ArrayList<>(stages);
            // Pairs that met the condition of the join need not meet it again.
            boolean again = !stages.isEmpty() && !more.isEmpty() && more.get(0).equals(stages.getLast());
            all.addAll(more.subList(again ? 1 : 0, more.size()));
            stages = all;
            target = given;
        }

        private Operator create(WorkerThreadContext context, List<Operator> inputs) {
            return new Join(spec, stages, context, target, inputs);
        }
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
        if (left.hasOutput() && right.remembers()) {
            pair(left, right, left.remembers() ? right.probeBefore() : right.probeAfter(), false);
        }
        if (right.hasOutput() && left.remembers()) {
            pair(right, left, left.probeAfter(), true);
        }
        emit(pipe.give());
    }

    /** Pairs what changed on one side with the rows of the other: those of its trace, and those that came lately. */
    private void pair(Arrange changed, Arrange side, MergedCursor others, boolean changeIsRight) {
        boolean isSought = !others.isEmpty();
        List<WriteBuffer> recent = side.recent();
        boolean sought = false;
        long hash = 0;
        for (RowWalk row = changed.change(isSought); row.valid(); row.next()) {
            if (isSought && (!sought || row.hash() != hash || !isAgainAt(others, changed, row))) {
                others.seekKey(row.hash(), row);
                sought = true;
                hash = row.hash();
            }
            if (isSought) {
                pairSought(row, side, others, changeIsRight);
            }
            for (int set = 0; set < recent.size(); set++) {
                count(pairRecent(row, side, recent.get(set), changeIsRight));
            }
        }
        count(others);
    }

    private void pairSought(RowWalk row, Arrange side, MergedCursor others, boolean changeIsRight) {
        boolean ranged = spec.range() != Range.NONE;
        boolean fromBound = ranged && changeIsRight == (spec.range() == Range.LEFT_AT_LEAST);
        if (ranged && row.isNull(rangeColumn)) {
            return;
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
                return;
            }
            RowView pair = changeIsRight ? joined.of(others, row) : joined.of(row, others);
            pipeAt(side.iterationOf(others)).push(pair, Math.multiplyExact(row.weight(), others.weight()));
        }
    }

    /** Returns how many rows were looked at. */
    private long pairRecent(RowWalk row, Arrange side, WriteBuffer recent, boolean changeIsRight) {
        long count = 1;
        for (int other = recent.find(row.hash(), row); other >= 0; other = recent.findOlder(other)) {
            count++;
            boolean isAfter = changeIsRight || !left.remembers();
            long weight = isAfter ? recent.weight(other) : recent.weightBefore(other);
            RowView shown = recent.row(other);
            if (weight != 0 && side.keeps(shown)) {
                RowView pair = changeIsRight ? joined.of(shown, row) : joined.of(row, shown);
                pipe.push(pair, Math.multiplyExact(row.weight(), weight));
            }
        }
        return count;
    }

    /** Goes back to the rows sought last, where they are those with the key of a row. */
    private static boolean isAgainAt(MergedCursor others, Arrange changed, RowWalk row) {
        others.rewind(null);
        return others.valid() && Rows.sameKey(changed.trace().schema(), row, others);
    }

    /** Where a pair goes: in a recursion it comes to be in the later of the iterations of its two rows. */
    private RowPipe pipeAt(int iterationOfOther) {
        return iterationOfOther <= iteration.number()
                ? pipe
                : later.computeIfAbsent(iterationOfOther, at -> new RowPipe(stages, schema()));
    }
}
