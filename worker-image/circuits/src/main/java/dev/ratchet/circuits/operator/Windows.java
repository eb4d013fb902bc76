/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Adds to each row what it can see of its group: numbers, neighbours, aggregates over frames. */
final class Windows implements GroupFunction {

    private final List<WindowCall> calls;
    private final List<ColumnType> columns;
    private final Partition partition;
    private final Frames[] frames;
    private final FrameAggregate[] aggregates;
    private final JoinedRow widened;
    private final RowBuffer added;

    private Windows(OrderedLayout layout, List<ColumnType> columns, List<SortColumn> order, List<WindowCall> calls) {
        this.calls = calls;
        this.columns = columns;
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
        return Group.of(
                "window",
                order + " " + calls,
                () -> new Windows(layout, columns, order, calls),
                List.of(arrangement),
                new RowSchema(output, List.of()));
    }

    @Override
    public void apply(Cursor[] inputs, RowSink out) {
        partition.read(inputs[0]);
        for (int i = 0; i < frames.length; i++) {
            frames[i].reset();
            if (aggregates[i] != null) {
                aggregates[i].reset();
            }
        }
        long denseRank = 0;
        for (int row = 0; row < partition.size(); row++) {
            denseRank += partition.peerStart(row) == row ? 1 : 0;
            for (int i = 0; i < frames.length; i++) {
                frames[i].moveTo(row);
                compute(i, row, denseRank);
            }
            out.push(widened.of(partition.row(row), added), 1);
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
