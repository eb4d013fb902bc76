/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import java.util.Locale;

/**
 * The operators that look at a stream as what it is, batch after batch: z^-1, which gives in each step what came in the
 * step before; I, which gives the sum of all that came so far; D, which gives a batch less the one before (laws L5 to
 * L8). They work in every step in which they have something to give, whether or not a table changed.
 */
public final class Delay extends Operator {

    /** What is given in a step. */
    public enum Kind {
        /** z^-1: what came in the step before. */
        DELAY,
        /** I: the sum of all so far. Its cost is that of the sum. */
        INTEGRATE,
        /** D: what came less what came in the step before. */
        DIFFERENTIATE
    }

    private final Kind kind;
    private final Trace kept;

    private Delay(Kind kind, WorkerThreadContext context, RowSchema schema, List<Operator> inputs) {
        super(schema, inputs);
        this.kind = kind;
        this.kept = context.trace("kept", schema);
    }

    /** Looks at the changes of a node, whose rows are in the worker threads that own their keys. */
    public static Node of(Kind kind, Node input) {
        return new Node(
                        kind.name().toLowerCase(Locale.ROOT),
                        "",
                        List.of(input),
                        input.schema(),
                        (context, inputs) -> new Delay(kind, context, input.schema(), inputs))
                .everyStep()
                .keepsState();
    }

    @Override
    protected boolean wanted() {
        return super.wanted() || kept.cursor().valid();
    }

    @Override
    protected void evaluate() {
        Batch now = input(0).output();
        Batch before = BatchMerge.merge(schema(), kept.batches());
        switch (kind) {
            case DELAY -> {
                replace(before, now);
                emit(before);
            }
            case INTEGRATE -> {
                kept.insert(now);
                emit(BatchMerge.merge(schema(), List.of(before, now)));
            }
            case DIFFERENTIATE -> {
                replace(before, now);
                emit(BatchMerge.merge(schema(), List.of(now, negated(before))));
            }
        }
    }

    private void replace(Batch before, Batch now) {
        kept.insert(BatchMerge.merge(schema(), List.of(now, negated(before))));
    }

    private Batch negated(Batch batch) {
        BatchBuilder builder = new BatchBuilder(schema());
        for (Cursor row = batch.cursor(); row.valid(); row.next()) {
            builder.addRow(row, row.hash(), Math.negateExact(row.weight()));
        }
        return builder.build();
    }
}
