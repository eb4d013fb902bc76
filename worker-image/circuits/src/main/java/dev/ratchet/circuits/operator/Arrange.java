/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowWalk;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.batch.WriteBuffer;
import dev.ratchet.circuits.circuit.CacheShares;
import dev.ratchet.circuits.circuit.Iteration;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers a stream: the trace of all its changes, shared by every operator that reads the stream by this key. Its
 * output is the change. Within a step readers see it before the change and after, because batches are immutable.
 *
 * <p>Where all readers look keys up, rows that came lately lie in front of the trace as they came, and go into it many
 * steps at a time.
 *
 * <p>What is joined with rows that never change is not remembered: its change alone is read.
 *
 * <p>Inside of a recursion each row is remembered with the number of the iteration in which it comes to be, as a last
 * column of its value: the trace is the sum over all steps so far of what each iteration changed.
 */
public final class Arrange extends Operator {

    private static final ColumnType ITERATION = ColumnType.of(TypeKind.INTEGER);

    private static final int DEPTH_MAX = 1 << 10;

    private final Trace trace;
    private final boolean remembers;
    private final boolean nested;
    private final Iteration iteration;
    private final int iterationColumn;
    private @Nullable List<Batch> before;
    private @Nullable List<Batch> beforeStep;
    private final Retention.Kept kept;
    private KeyCheck.@Nullable Promise promise;

    /** What came lately, where only joins read it, key by key. */
    private @Nullable HeldRows held;

    private Arrange(WorkerThreadContext context, RowSchema schema, Retention retention, List<Operator> inputs) {
        this(context, schema, retention, inputs, true);
    }

    private Arrange(
            WorkerThreadContext context,
            RowSchema schema,
            Retention retention,
            List<Operator> inputs,
            boolean remembers) {
        super(schema, inputs);
        this.remembers = remembers;
        this.nested = context.nested();
        this.iteration = context.iteration();
        this.iterationColumn = schema.columnCount();
        this.trace = context.trace("rows", nested ? withIteration(schema) : schema);
        // Rows of an iteration are needed as long as the recursion.
        this.kept = (nested ? new Retention() : retention).of(trace, context.watermarks());
    }

    /** Says who reads an arrangement; complete when the circuit is made. */
    static final class Readers implements Node.Detail {
        private final boolean appendOnly;
        private boolean lookUpAlone;
        private boolean ranged;

        private Readers(boolean appendOnly) {
            this.appendOnly = appendOnly;
        }

        /**
         * All of them are joins, which look keys up.
         *
         * @param someRanged whether one reads only some rows of a key
         */
        void lookUpAlone(boolean someRanged) {
            // A row that is taken back is looked for among those of its key, which may be many.
            lookUpAlone = appendOnly || !someRanged;
            ranged = someRanged;
        }
    }

    /**
     * Remembers the rows of a node.
     *
     * @param input its rows are in the worker threads that own their keys
     * @param retention which of them; complete when the circuit is made
     * @param appendOnly whether no row is ever taken back
     */
    public static Node of(Node input, Retention retention, boolean appendOnly) {
        Readers readers = new Readers(appendOnly);
        return new Node("arrange", "", List.of(input), input.schema(), (context, inputs) -> {
                    Arrange arrange = new Arrange(context, input.schema(), retention, inputs);
                    if (readers.lookUpAlone) {
                        arrange.holdRecent(context.cache(), readers.ranged ? DEPTH_MAX : Integer.MAX_VALUE);
                    }
                    return arrange;
                })
                .withDetail(readers)
                .keepsState()
                .shownAs(() -> ShownSql.byKey(input.schema()) + retention.text());
    }

    private void holdRecent(CacheShares cache, int rowsOfKeyMax) {
        HeldRows rows = new HeldRows(trace, kept.predicate(), cache, rowsOfKeyMax);
        held = rows;
        trace.putBehind(rows);
    }

    /**
     * As {@link #of}, for a table in which no two rows share the key: a step that contradicts is rejected.
     *
     * @param key the columns of the key by their numbers in the table, in their order in the schema
     */
    public static Node unique(Node input, Retention retention, String table, List<Integer> key) {
        return new Node("arrange", "unique in " + table, List.of(input), input.schema(), (context, inputs) -> {
                    Arrange arrange = new Arrange(context, input.schema(), retention, inputs);
                    arrange.promise = new KeyCheck.Promise(table, key);
                    return arrange;
                })
                .checked()
                .keepsState()
                .shownAs(() -> ShownSql.byKey(input.schema()) + "; unique in " + table + retention.text());
    }

    /** Remembers nothing of a node outside of recursions, for joins with rows that never change. */
    public static Node ofChanges(Node input) {
        return new Node(
                        "arrange",
                        "changes",
                        List.of(input),
                        input.schema(),
                        (context, inputs) -> new Arrange(context, input.schema(), new Retention(), inputs, false))
                .shownAs(() -> ShownSql.byKey(input.schema()) + "; changes alone");
    }

    @Override
    protected void check() {
        KeyCheck.Promise promised = promise;
        if (promised != null) {
            KeyCheck.check(promised, trace.probe(), input(0).output());
        }
    }

    @Override
    protected void evaluate() {
        kept.advance();
        if (!remembers || (held != null && held.add(input(0)))) {
            forward(input(0));
            return;
        }
        before = trace.inserted();
        beforeStep = nested && beforeStep == null ? before : beforeStep;
        Batch change = input(0).output();
        trace.insert(nested ? atIteration(change) : change);
        emit(change);
    }

    private static RowSchema withIteration(RowSchema schema) {
        List<ColumnType> value = new ArrayList<>(schema.value());
        value.add(ITERATION);
        return new RowSchema(schema.key(), value);
    }

    private Batch atIteration(Batch change) {
        BatchBuilder builder = new BatchBuilder(trace.schema());
        for (BatchCursor row = change.cursor(); row.valid(); row.next()) {
            for (int column = 0; column < iterationColumn; column++) {
                builder.copy(column, schema().storages()[column], row, column);
            }
            builder.setLong(iterationColumn, iteration.number());
            builder.add(row.weight(), row.hash());
        }
        return builder.build();
    }

    @Override
    protected void endStep() {
        beforeStep = null;
    }

    @Override
    protected void clear() {
        super.clear();
        before = null;
        if (held != null) {
            held.endStep();
        }
    }

    /** What came lately and is in no trace yet. */
    List<WriteBuffer> recent() {
        return held == null ? List.of() : held.sets();
    }

    /** Whether rows may still be needed. */
    boolean keeps(RowView row) {
        return kept.test(row);
    }

    /** Whether rows are remembered; otherwise those joined with them never change. */
    boolean remembers() {
        return remembers;
    }

    /** Walks the change of this step, in the order of hashes where another trace is sought through by it. */
    RowWalk change(boolean inOrder) {
        UnconsolidatedRows unconsolidated = unconsolidatedOutput();
        boolean isByKey = inOrder || (remembers && (held == null || !held.isHolding()));
        return unconsolidated == null
                ? output().cursor()
                : isByKey ? unconsolidated.byKey() : unconsolidated.hashedCursor();
    }

    /** In a recursion: the iteration in which a remembered row comes to be; else 0. */
    int iterationOf(Cursor row) {
        return nested ? (int) row.longAt(iterationColumn) : 0;
    }

    /** In a recursion: what was remembered before this step, whose iterations are many. */
    MergedCursor probeBeforeStep() {
        List<Batch> batches = beforeStep;
        return batches == null ? trace.probe() : MergedCursor.probe(batches, kept.predicate());
    }

    /** What was remembered before this step, in a recursion before this iteration. */
    MergedCursor probeBefore() {
        List<Batch> batches = before;
        return batches == null ? trace.probe() : MergedCursor.probe(batches, kept.predicate());
    }

    /** What is remembered with the change of this step. */
    MergedCursor probeAfter() {
        return trace.probe();
    }

    Trace trace() {
        return trace;
    }

    /** Lets another trace with the same key go of what this one lets go of, by the key. */
    void retainAlso(Trace other) {
        kept.limit(other);
    }
}
