/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds to each row what it can see of its group: numbers, neighbours, aggregates over frames. Where no call sees
 * further than some distance, only the rows within that distance of a change are read.
 */
final class Windows implements LocalFunction {

    private final List<WindowCall> calls;
    private final List<ColumnType> columns;
    private final RowSchema schema;
    private final List<SortColumn> order;
    private final @Nullable Reach reach;
    private final Partition partition;
    private final Frames[] frames;
    private final FrameAggregate[] aggregates;
    private final JoinedRow widened;
    private final RowBuffer added;

    private Windows(OrderedLayout layout, List<ColumnType> columns, List<SortColumn> order, List<WindowCall> calls) {
        this.calls = calls;
        this.columns = columns;
        this.schema = new RowSchema(columns, List.of());
        this.order = order;
        this.reach = Reach.of(calls, order, columns);
        this.partition = new Partition(layout, columns);
        this.frames = new Frames[calls.size()];
        this.aggregates = new FrameAggregate[calls.size()];
        for (int i = 0; i < frames.length; i++) {
            WindowCall call = calls.get(i);
            frames[i] = new Frames(call.frame(), partition, order.toArray(SortColumn[]::new));
            AggregateCall aggregate = call.aggregate();
            if (aggregate != null) {
                aggregates[i] = new FrameAggregate(aggregate, columns);
            }
        }
        this.added = new RowBuffer(calls.size());
        this.widened = new JoinedRow(
                IntStream.range(0, columns.size()).toArray(),
                IntStream.range(0, calls.size()).toArray());
    }

    /** Adds a column per call to the rows of an arrangement that lies as the layout says. */
    static Node of(
            OrderedLayout layout,
            List<ColumnType> columns,
            List<SortColumn> order,
            List<WindowCall> calls,
            Node arrangement) {
        List<ColumnType> output = new ArrayList<>(columns);
        calls.forEach(call -> output.add(call.result()));
        RowSchema target = new RowSchema(output, List.of());
        String description = order + " " + calls;
        Supplier<GroupFunction> function = () -> new Windows(layout, columns, order, calls);
        Node made = Running.isFor(calls)
                ? new Node(
                                "window",
                                description,
                                List.of(arrangement),
                                target,
                                (context, inputs) -> context.nested()
                                        ? new NestedGroup(function.get(), context, target, inputs)
                                        : new RunningWindows(layout, columns, calls, context, target, inputs))
                        .keepsState()
                : GroupOperator.of("window", description, function, List.of(arrangement), target);
        return made.failing().shownAs(() -> text(layout, columns, order, calls));
    }

    private static String text(
            OrderedLayout layout, List<ColumnType> columns, List<SortColumn> order, List<WindowCall> calls) {
        ColumnType first = order.isEmpty() ? null : columns.get(order.get(0).column());
        return "SELECT *, "
                + calls.stream().map(call -> call.text(layout, first)).collect(Collectors.joining(", "));
    }

    @Override
    public void apply(Cursor[] inputs, RowSink out) {
        partition.read(inputs[0]);
        compute(0, partition.size(), out);
    }

    @Override
    public boolean isLocal() {
        return reach != null;
    }

    @Override
    public long applyNear(MergedCursor[] inputs, @Nullable Change[] changes, RowSink out) {
        Reach distance = reach;
        Change change = changes[0];
        if (distance == null || change == null) {
            return -1;
        }
        return distance.byValue()
                ? nearValues(inputs[0], change, distance, out)
                : nearRows(inputs[0], change, distance, out);
    }

    private long nearRows(MergedCursor rows, Change change, Reach distance, RowSink out) {
        long known = distance.ahead() + distance.back();
        int first = readBefore(rows, change, known, () -> partition.size() >= known);
        partition.add(rows, () -> !change.isBehindLast(rows));
        int behind = partition.size();
        partition.add(rows, () -> partition.size() - behind < known);
        partition.close();
        long from = Math.max(0, first - distance.ahead());
        long to = Math.min(partition.size(), behind + distance.back());
        compute((int) from, (int) to, out);
        return partition.size();
    }

    private long nearValues(MergedCursor rows, Change change, Reach distance, RowSink out) {
        SortColumn column = order.get(0);
        RowView first = partition.view(change.first());
        RowView last = partition.view(change.last());
        if (first.isNull(column.column()) || last.isNull(column.column())) {
            return -1;
        }
        long least = saturated(Frames.value(first, column), -distance.ahead());
        long most = saturated(Frames.value(last, column), distance.back());
        long known = saturated(least, -distance.back());
        long knownTo = saturated(most, distance.ahead());
        readBefore(rows, change, 1, () -> partition.size() > 0 && value(partition.row(0)) < known);
        RowView row = partition.view(rows);
        partition.add(rows, () -> !change.isBehindLast(rows) || value(row) <= knownTo);
        partition.close();
        int from = 0;
        while (from < partition.size() && value(partition.row(from)) < least) {
            from++;
        }
        int to = from;
        while (to < partition.size() && value(partition.row(to)) <= most) {
            to++;
        }
        compute(from, to, out);
        return partition.size();
    }

    private static long saturated(long value, long distance) {
        long sum = value + distance;
        boolean over = ((value ^ sum) & (distance ^ sum)) < 0;
        return over ? (distance < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }

    /** The order column as a number that rises with the order, rows without one at their end of it. */
    private long value(RowView row) {
        SortColumn column = order.get(0);
        return row.isNull(column.column())
                ? column.nullsFirst() ? Long.MIN_VALUE : Long.MAX_VALUE
                : Frames.value(row, column);
    }

    /**
     * Reads rows in front of the first changed one, further and further back until there are enough.
     *
     * @return how many; the cursor is on the first changed row, or where it would be
     */
    private int readBefore(MergedCursor rows, Change change, long atFirst, BooleanSupplier enough) {
        boolean isWhole = false;
        for (long back = atFirst; ; back = 4 * back + 4) {
            isWhole = rows.seekBack(change.first(), change.valueColumns(), back);
            partition.clear();
            partition.add(rows, () -> change.isBeforeFirst(rows));
            if (isWhole || enough.getAsBoolean()) {
                return partition.size();
            }
        }
    }

    /** Gives the rows from one to another, all that they see being read. */
    private void compute(int from, int to, RowSink out) {
        for (int i = 0; i < frames.length; i++) {
            frames[i].reset();
            if (aggregates[i] != null) {
                aggregates[i].reset();
            }
        }
        long denseRank = 0;
        for (int row = from; row < to; row++) {
            denseRank += partition.peerStart(row) == row ? 1 : 0;
            ArithmeticException failure = null;
            for (int i = 0; i < frames.length; i++) {
                frames[i].moveTo(row);
                if (aggregates[i] != null) {
                    aggregates[i].moveTo(partition, frames[i].start(), frames[i].end());
                }
                try {
                    compute(i, row, denseRank);
                } catch (ArithmeticException e) {
                    failure = failure == null ? e : failure;
                }
            }
            if (failure == null) {
                out.push(widened.of(partition.row(row), added), 1);
            } else {
                out.fail(failure, Rows.text(schema, partition.row(row), null), 1);
            }
        }
    }

    private void compute(int number, int row, long denseRank) {
        WindowCall call = calls.get(number);
        Frames frame = frames[number];
        int size = partition.size();
        switch (call.kind()) {
            case ROW_NUMBER -> added.setLong(number, row + 1);
            case RANK -> added.setLong(number, partition.peerStart(row) + 1);
            case DENSE_RANK -> added.setLong(number, denseRank);
            case PERCENT_RANK ->
                added.setDouble(number, size == 1 ? 0 : (double) partition.peerStart(row) / (size - 1));
            case CUME_DIST -> added.setDouble(number, (double) partition.peerEnd(row) / size);
            case NTILE -> added.setLong(number, bucket(row, size, call.number()));
            case LAG, LEAD -> shift(call, row, number);
            case FIRST_VALUE -> value(call, frame.start(), 1, frame.start(), frame.end(), number);
            case LAST_VALUE -> value(call, frame.end() - 1, -1, frame.start(), frame.end(), number);
            case NTH_VALUE -> {
                long at = frame.start() + call.number() - 1;
                int place = at < frame.end() ? (int) at : frame.end();
                value(call, place, 1, frame.start(), frame.end(), number);
            }
            case AGGREGATE -> aggregates[number].result(partition, frame.start(), frame.end(), added, number);
        }
    }

    /** The first buckets are larger by one where rows do not divide evenly. */
    private static long bucket(int row, int size, long buckets) {
        long small = size / buckets;
        long larger = size % buckets;
        long inLarger = larger * (small + 1);
        return row < inLarger ? row / (small + 1) + 1 : larger + (row - inLarger) / Math.max(1, small) + 1;
    }

    private void shift(WindowCall call, int row, int number) {
        int step = call.kind() == WindowCall.WindowKind.LAG ? -1 : 1;
        long at = row + step * call.number();
        if (call.ignoreNulls() && call.number() > 0) {
            at = row;
            for (long left = call.number(); left > 0 && at >= 0 && at < partition.size(); ) {
                at += step;
                boolean counts = at >= 0
                        && at < partition.size()
                        && !partition.row((int) at).isNull(call.argument());
                left -= counts ? 1 : 0;
            }
        }
        if (at >= 0 && at < partition.size()) {
            copy(call.argument(), partition.row((int) at), number);
        } else if (call.fallback() >= 0) {
            copy(call.fallback(), partition.row(row), number);
        } else {
            added.setNull(number);
        }
    }

    private void value(WindowCall call, int place, int step, int start, int end, int number) {
        int at = place;
        while (call.ignoreNulls()
                && at >= start
                && at < end
                && partition.row(at).isNull(call.argument())) {
            at += step;
        }
        if (at >= start && at < end) {
            copy(call.argument(), partition.row(at), number);
        } else {
            added.setNull(number);
        }
    }

    private void copy(int from, RowView row, int number) {
        added.copy(number, columns.get(from).storage(), row, from);
    }
}
