/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.circuit.LaneContext;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers a stream: the trace of all its changes, shared by every operator that reads the stream by this key. Its
 * output is the change. Within a step readers see it before the change and after, because batches are immutable.
 */
public final class Arrange extends Operator {

    private final Trace trace;
    private @Nullable List<Batch> before;
    private @Nullable RowPredicate kept;
    private @Nullable String table;

    private Arrange(LaneContext context, RowSchema schema, List<Operator> inputs) {
        super(schema, inputs);
        this.trace = context.trace("rows", schema);
    }

    /**
     * Remembers the rows of a node.
     *
     * @param input its rows are in the lanes that own their keys
     */
    public static Node of(Node input) {
        return new Node(
                "arrange",
                "",
                List.of(input),
                input.schema(),
                (context, inputs) -> new Arrange(context, input.schema(), inputs));
    }

    /** As {@link #of}, for a table in which no two rows share the key: a step that contradicts is rejected. */
    public static Node unique(Node input, String table) {
        return new Node("arrange", "unique in " + table, List.of(input), input.schema(), (context, inputs) -> {
                    Arrange arrange = new Arrange(context, input.schema(), inputs);
                    arrange.table = table;
                    return arrange;
                })
                .checked();
    }

    @Override
    protected void check() {
        String promised = table;
        if (promised != null) {
            KeyCheck.check(promised, trace.probe(), input(0).output());
        }
    }

    @Override
    protected void evaluate() {
        before = trace.batches();
        Batch change = input(0).output();
        trace.insert(change);
        emit(change);
    }

    @Override
    protected void clear() {
        super.clear();
        before = null;
    }

    /** What was remembered before this step. */
    MergedCursor probeBefore() {
        List<Batch> batches = before;
        return batches == null ? trace.probe() : MergedCursor.probe(batches, kept);
    }

    /** What is remembered with the change of this step. */
    MergedCursor probeAfter() {
        return trace.probe();
    }

    Trace trace() {
        return trace;
    }
}
