/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchFullException;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.CorruptBatchException;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the operators of a worker thread could not compute in a step: its part of the change of the system view
 * {@value #VIEW}. Each row stands for one that some view would have. It depends on that row's own input alone, so that
 * what takes the input back takes the error back, too, and threads and the order of rows make no difference. Behind the
 * operators that may fail the rows go to the worker threads that own their hashes, as those of any view. One thread at
 * a time.
 */
public final class StepErrors {

    /** The name of the view. */
    public static final String VIEW = "errors";

    /** Its columns: number of the operator in the plan, place in the program, what is wrong, and with which row. */
    public static final List<String> COLUMNS = List.of("operator", "place", "message", "row");

    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR);
    static final RowSchema SCHEMA = new RowSchema(List.of(ColumnType.of(TypeKind.BIGINT), TEXT, TEXT, TEXT), List.of());
    static final int PLACE = 1;
    static final int MESSAGE = 2;
    static final int ROW = 3;

    /** Of texts that are as long as they may be. */
    private static final int CHUNK_ROWS = 1 << 16;

    private final BatchBuilder builder = new BatchBuilder(SCHEMA);
    private final List<Batch> chunks = new ArrayList<>();

    StepErrors() {}

    /**
     * The nodes of the view: what was found, the way to the owners of the rows, and where the view is read.
     *
     * @param failing the nodes that may find something
     */
    static List<Node> nodes(List<Node> failing) {
        Node found = new Node("errors", "", List.of(), SCHEMA, (context, inputs) -> new Found((WorkerThread) context))
                .behind(failing);
        List<Node> placing = Exchange.placing(found);
        return List.of(found, placing.get(0), placing.get(1), Sink.of(VIEW, placing.get(1)));
    }

    /** Gives what the operators of a worker thread have found. */
    private static final class Found extends Operator {
        private final StepErrors errors;

        Found(WorkerThread thread) {
            super(SCHEMA, List.of());
            this.errors = thread.errors();
        }

        @Override
        protected boolean wanted() {
            return errors.builder.rowCount() > 0 || !errors.chunks.isEmpty();
        }

        @Override
        protected void evaluate() {
            emit(errors.take());
        }
    }

    /** Types of the {@link #COLUMNS}. */
    public static List<ColumnType> types() {
        return SCHEMA.key();
    }

    /** Whether a failure says something of the row that was computed; otherwise it says that nothing can go on. */
    public static boolean isOfRow(RuntimeException failure) {
        return !(failure instanceof CorruptBatchException
                || failure instanceof BatchFullException
                || failure instanceof UncheckedIOException);
    }

    void add(Node node, RuntimeException failure, String row, long weight) {
        String place = ExpressionFailedException.placeOf(failure);
        builder.setLong(0, node.number());
        builder.setString(PLACE, place.isEmpty() ? node.place() : place);
        builder.setString(MESSAGE, StepFailedException.said(failure));
        builder.setString(ROW, row);
        builder.add(weight);
        if (builder.rowCount() == CHUNK_ROWS) {
            chunks.add(builder.build());
        }
    }

    /** Adds rows that no operator has found. */
    void add(Batch rows) {
        if (!rows.isEmpty()) {
            chunks.add(rows);
        }
    }

    private Batch take() {
        if (builder.rowCount() > 0) {
            chunks.add(builder.build());
        }
        Batch sum = BatchMerge.merge(SCHEMA, chunks);
        chunks.clear();
        return sum;
    }

    void clear() {
        builder.discard();
        chunks.clear();
    }
}
