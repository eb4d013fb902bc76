/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where a view is read: its change in a step, worker thread by worker thread, and, in a circuit that keeps the rows of
 * its views, their sum. Rows are kept by the columns by which they lie, so that the hash of each is owned by the worker
 * thread that has it.
 */
public final class Sink extends Operator {

    private final int @Nullable [] columns;
    private final @Nullable Trace kept;
    private final @Nullable BatchBuilder rows;

    /** Since {@link #takeRows} was called last. */
    private boolean isChanged = true;

    private Sink(WorkerThreadContext context, int[] order, List<Operator> inputs, int keyCount) {
        super(inputs.get(0).schema(), inputs);
        if (!context.keepsViews()) {
            columns = null;
            kept = null;
            rows = null;
            return;
        }
        List<ColumnType> types = Arrays.stream(order).mapToObj(schema()::column).toList();
        RowSchema keyed = new RowSchema(types.subList(0, keyCount), types.subList(keyCount, types.size()));
        columns = order;
        kept = context.trace("rows", keyed);
        rows = keyed.equals(schema()) && isAscending(order) ? null : new BatchBuilder(keyed);
    }

    /**
     * The rows of a node under a name.
     *
     * @param input whose rows lie by columns
     */
    public static Node of(String view, Node input) {
        List<Integer> placedBy = input.placements().get(0);
        // Rows that were brought to where a key of the view owns them are kept by that: under an id of their own.
        boolean isByKey = input.isPlacing() && placedBy.size() < input.schema().columnCount();
        int[] order = order(placedBy, input.schema().columnCount());
        return new Node(
                        "view",
                        isByKey ? view + " by " + placedBy : view,
                        List.of(input),
                        input.schema(),
                        (context, inputs) -> new Sink(context, order, inputs, placedBy.size()))
                .shownAs(() -> view)
                .placedBy(input.placements());
    }

    /** The columns by which rows lie, then the others. */
    private static int[] order(List<Integer> placedBy, int count) {
        List<Integer> order = new ArrayList<>(placedBy);
        IntStream.range(0, count).filter(column -> !placedBy.contains(column)).forEach(order::add);
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private static boolean isAscending(int[] order) {
        return Arrays.equals(order, IntStream.range(0, order.length).toArray());
    }

    @Override
    protected void evaluate() {
        forward(input(0));
        Trace trace = kept;
        if (trace != null) {
            trace.insert(keyed(output()));
            isChanged = true;
        }
    }

    private Batch keyed(Batch change) {
        BatchBuilder builder = rows;
        int[] order = columns;
        if (builder == null || order == null) {
            return change;
        }
        for (BatchCursor row = change.cursor(); row.valid(); row.next()) {
            for (int place = 0; place < order.length; place++) {
                builder.copy(place, schema().column(order[place]).storage(), row, order[place]);
            }
            builder.add(row.weight());
        }
        return builder.build();
    }

    /** For each column of the view, that of the batches of {@link #takeRows}. */
    int[] places() {
        int[] order = columns;
        int[] places = new int[schema().columnCount()];
        for (int place = 0; order != null && place < order.length; place++) {
            places[order[place]] = place;
        }
        return places;
    }

    /** Whether {@link #takeRows} gives something else than before. */
    boolean isChanged() {
        return isChanged;
    }

    /** The batches whose sum is the view. */
    List<Batch> takeRows() {
        isChanged = false;
        Trace trace = kept;
        return trace == null ? List.of() : trace.batches();
    }
}
