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
 * What the operators of a worker thread could not compute in a step: the change of the system view {@value #VIEW}. Each
 * of its rows stands for one that some view would have. It depends on that row's own input alone, so that what takes
 * the input back takes the error back, too, and threads and the order of rows make no difference. One thread at a time.
 */
public final class StepErrors {

    /** The name of the view. */
    public static final String VIEW = "errors";

    /** Its columns: number of the operator in the plan, place in the program, what is wrong, and with which row. */
    public static final List<String> COLUMNS = List.of("operator", "place", "message", "row");

    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR);
    static final RowSchema SCHEMA = new RowSchema(List.of(ColumnType.of(TypeKind.BIGINT), TEXT, TEXT, TEXT), List.of());
    static final Batch NONE = Batch.empty(SCHEMA);
    static final int PLACE = 1;
    static final int MESSAGE = 2;
    static final int ROW = 3;

    /** Of texts that are as long as they may be. */
    private static final int CHUNK_ROWS = 1 << 16;

    private final BatchBuilder builder = new BatchBuilder(SCHEMA);
    private final List<Batch> chunks = new ArrayList<>();

    StepErrors() {}

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

    boolean isEmpty() {
        return builder.rowCount() == 0 && chunks.isEmpty();
    }

    /** What was added since the last {@link #clear}, summed. */
    Batch batch() {
        if (builder.rowCount() > 0) {
            chunks.add(builder.build());
        }
        return BatchMerge.merge(SCHEMA, chunks);
    }

    void clear() {
        builder.discard();
        chunks.clear();
    }
}
