/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operator in one worker thread. In a step it reads the outputs of its inputs, which are changes, and leaves its
 * own change as {@link #output}, or as {@link #unconsolidatedOutput} where nobody has needed it in order yet. It is
 * asked to {@link #evaluate} at most once per step (in a recursion: per iteration), after its inputs, and not at all
 * while nothing is {@link #wanted}: an idle operator costs nothing. One thread at a time; the thread may differ from
 * step to step.
 */
public abstract class Operator {

    private final Batch nothing;
    private final Operator[] inputs;
    private Batch output;
    private @Nullable UnconsolidatedRows unconsolidated;

    /** Whether the unconsolidated rows are its own, not what another operator has left. */
    private boolean given;

    private long seeks;
    private @Nullable Node node;
    private @Nullable StepErrors errors;

    protected Operator(RowSchema schema, List<? extends Operator> inputs) {
        this.nothing = Batch.empty(schema);
        this.output = nothing;
        this.inputs = inputs.toArray(Operator[]::new);
    }

    /** The change of this step, empty where the operator was not evaluated. */
    public final Batch output() {
        UnconsolidatedRows rows = unconsolidated;
        return rows == null ? output : rows.batch();
    }

    /**
     * The change of this step as rows in no order, whose sum nobody has asked for; null where there is only a batch.
     */
    public final @Nullable UnconsolidatedRows unconsolidatedOutput() {
        UnconsolidatedRows rows = unconsolidated;
        return rows == null || rows.isSummed() ? null : rows;
    }

    /** Whether there are rows in the output; those of unconsolidated ones may cancel out. */
    public final boolean hasOutput() {
        UnconsolidatedRows rows = unconsolidated;
        return rows == null ? !output.isEmpty() : !rows.isEmpty();
    }

    protected final RowSchema schema() {
        return nothing.schema();
    }

    protected final Operator input(int number) {
        return inputs[number];
    }

    protected final void emit(Batch batch) {
        output = batch;
        unconsolidated = null;
    }

    /** Leaves rows in no order, which stay as they are until the output is forgotten. */
    protected final void emit(UnconsolidatedRows rows) {
        unconsolidated = rows;
        given = true;
    }

    /** Leaves what another operator has left. */
    protected final void forward(Operator other) {
        output = other.output;
        unconsolidated = other.unconsolidated;
        given = false;
    }

    /** Says which node it is of and where its worker thread collects what can not be computed. */
    final void reportTo(Node of, StepErrors collected) {
        node = of;
        errors = collected;
    }

    /**
     * Leaves an error in place of rows that can not be computed. What takes them back does the same with the negated
     * weight.
     *
     * @param row what they are computed from, for people; it depends on nothing else
     * @param weight that they would have
     */
    protected final void fail(RuntimeException failure, String row, long weight) {
        Node of = node;
        StepErrors collected = errors;
        if (of == null || collected == null || !StepErrors.isOfRow(failure)) {
            throw failure;
        }
        if (!of.isFailing()) {
            throw new IllegalStateException(
                    "Operator " + of.kind() + " has an error, and its node does not say that it may", failure);
        }
        collected.add(of, failure, row, weight);
    }

    /** Counts the seeks of a cursor that this operator is done with: the work that could grow with the state. */
    protected final void count(MergedCursor cursor) {
        seeks += cursor.seeks();
    }

    /** Counts rows of a group that were read one by one, as if each had been sought. */
    protected final void count(long rowsRead) {
        seeks += rowsRead;
    }

    /** Rows of the output, equal ones that are not summed yet each for itself. */
    final long outputRows() {
        UnconsolidatedRows rows = unconsolidatedOutput();
        return rows == null ? output().rowCount() : rows.rowCount();
    }

    /** Bytes of the output, about. */
    final long outputBytes() {
        UnconsolidatedRows rows = unconsolidatedOutput();
        return rows == null ? output().byteCount() : rows.byteCount();
    }

    final long seeks() {
        return seeks;
    }

    /** Computes the output of the step. */
    protected abstract void evaluate();

    /** Whether there is anything to compute: by default, whether an input changed. */
    protected boolean wanted() {
        for (Operator input : inputs) {
            if (input.hasOutput()) {
                return true;
            }
        }
        return false;
    }

    /** Called once before the first step ever; what is constant comes into being here. */
    protected void start() {}

    /**
     * Looks, before anything of a step is applied, whether the step may be.
     *
     * @throws StepRejectedException where it may not
     */
    protected void check() {}

    /** In a recursion: the next iteration for which work is waiting, or {@link Integer#MAX_VALUE}. */
    protected int nextIteration() {
        return Integer.MAX_VALUE;
    }

    /** Forgets the output, before the next step or iteration. */
    protected void clear() {
        UnconsolidatedRows rows = unconsolidated;
        if (rows != null && given) {
            rows.forgetIfLarge();
        }
        output = nothing;
        unconsolidated = null;
    }

    /** In a recursion: called in every worker thread when the iterations of a step are complete. */
    protected void endStep() {}
}
