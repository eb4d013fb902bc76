/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowWalk;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sessions and the aggregates of each. One row per session is remembered: its end, its start and the
 * {@link Accumulator}s. A row costs the same whatever the length of its session. In each key sessions are in the order
 * of their ends, which is that of their starts; a change reads those from the first that its earliest row can touch.
 *
 * <p>Of rows that only come that is all: they can not split a session again. Those that may be taken back are
 * remembered too, by {@link SessionRows}, which says what is left of a session.
 */
public final class SessionAggregate extends Operator {

    private final Spec spec;
    private final int keyCount;
    private final RowSchema stateSchema;
    private final Storage[] storages;
    private final Trace trace;
    private final Retention.Kept kept;
    private final BatchBuilder states;
    private final BatchBuilder results;
    private final RowBuffer key;

    /** Key, start and end of a session that can not be computed. */
    private final RowSchema failedSchema;

    private final RowBuffer failed;
    private final Accumulator[] open;
    private final Accumulator[] other;

    /** The open session as it was stored, until something is added to it. */
    private final RowBuffer stored;

    /** Null where rows only come. */
    private final @Nullable SessionRows rows;

    private boolean isOpen;
    private boolean isStored;
    private long start;
    private long end;

    /**
     * What is aggregated.
     *
     * @param input types of the rows: the key, the time, which is not NULL, what calls read
     * @param keyCount how many columns make the key
     * @param gap times up to so far apart are in one session; it ends so long after its last
     * @param group the columns of the result before those of the calls: a column of the key by its number, or
     *     {@code keyCount} for the start and the next for the end
     * @param calls over columns of the input, none of distinct values and none that reads an order but for extremes
     */
    public record Spec(List<ColumnType> input, int keyCount, long gap, List<Integer> group, List<AggregateCall> calls) {

        ColumnType time() {
            return input.get(keyCount);
        }

        /** For people. */
        String text() {
            String bounds = group.stream()
                    .map(column -> column < keyCount
                            ? ShownSql.column(column)
                            : column == keyCount ? "start of session" : "end of session")
                    .collect(Collectors.joining(", "));
            return AggregateCall.text(calls, bounds) + "; sessions by " + ShownSql.column(keyCount) + " with gap "
                    + ShownSql.distance(time(), gap);
        }

        /** Group columns, then one column per call. */
        public List<ColumnType> output() {
            List<ColumnType> output = new ArrayList<>();
            group.forEach(column -> output.add(column < keyCount ? input.get(column) : time()));
            calls.forEach(call -> output.add(call.result()));
            return output;
        }

        /** Whether what a call knows of two sessions makes what it knows of both as one. */
        public static boolean isMergeable(AggregateCall call) {
            return isExtreme(call) || (call.kind().isLinear() && !call.distinct());
        }

        private static boolean isExtreme(AggregateCall call) {
            return call.kind() == AggregateKind.MIN || call.kind() == AggregateKind.MAX;
        }

        /** Whether rows can be taken back from all that is aggregated. */
        boolean isLinear() {
            return calls.stream().noneMatch(Spec::isExtreme);
        }
    }

    private SessionAggregate(
            Spec spec, Retention retention, WorkerThreadContext context, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.spec = spec;
        this.keyCount = spec.keyCount();
        this.open = accumulators(spec);
        this.other = accumulators(spec);
        List<ColumnType> state = new ArrayList<>(List.of(spec.time(), spec.time()));
        for (Accumulator accumulator : open) {
            state.addAll(accumulator.columns());
        }
        this.stateSchema = new RowSchema(spec.input().subList(0, keyCount), state);
        this.storages = stateSchema.storages();
        this.trace = context.trace("sessions", stateSchema);
        this.kept = retention.of(trace, context.watermarks());
        this.states = new BatchBuilder(stateSchema);
        this.results = new BatchBuilder(target);
        this.key = new RowBuffer(stateSchema.columnCount());
        List<ColumnType> session = new ArrayList<>(stateSchema.key());
        session.addAll(List.of(spec.time(), spec.time()));
        this.failedSchema = new RowSchema(session, List.of());
        this.failed = new RowBuffer(session.size());
        this.stored = new RowBuffer(stateSchema.columnCount());
        this.rows =
                inputs.get(0) instanceof Arrange arrange ? new SessionRows(arrange, spec.isLinear(), context) : null;
    }

    private static Accumulator[] accumulators(Spec spec) {
        return spec.calls().stream()
                .map(call -> Accumulator.of(call, spec.input()))
                .toArray(Accumulator[]::new);
    }

    /**
     * Aggregates the sessions of the rows of a node.
     *
     * @param retention of sessions, whose end is the column behind the key
     * @param rows by key, and in a key by time; an arrangement where they may be taken back
     */
    public static Node of(Spec spec, Retention retention, Node rows) {
        RowSchema target = new RowSchema(spec.output(), List.of());
        return new Node(
                        "session aggregate",
                        spec.gap() + " " + spec.group() + " " + spec.calls(),
                        List.of(rows),
                        target,
                        (context, inputs) -> new SessionAggregate(spec, retention, context, target, inputs))
                .failing()
                .keepsState()
                .shownAs(() -> spec.text() + retention.text());
    }

    @Override
    protected void evaluate() {
        kept.advance();
        MergedCursor known = trace.probe();
        if (rows != null) {
            rows.beginStep();
        }
        UnconsolidatedRows unconsolidated = input(0).unconsolidatedOutput();
        RowWalk changes = unconsolidated == null ? input(0).output().cursor() : unconsolidated.inOrder();
        while (changes.valid()) {
            regroup(changes, known);
        }
        count(known);
        if (rows != null) {
            count(rows.endStep());
        }
        trace.insert(states.build());
        emit(results.unconsolidated());
    }

    /** Brings the sessions of one key up to date with the rows from where the walk stands to the next key. */
    private void regroup(RowWalk changes, MergedCursor known) {
        long hash = changes.hash();
        for (int column = 0; column < keyCount; column++) {
            key.copy(column, storages[column], changes, column);
        }
        key.setLong(keyCount, changes.longAt(keyCount));
        if (rows != null) {
            rows.beginKey(hash, key);
        }
        if (known.seekKey(hash, key)) {
            known.seekValue(key, 1);
        }
        while (true) {
            boolean hasRow = changes.valid() && changes.hash() == hash && Rows.sameKey(stateSchema, changes, key);
            boolean hasStored = known.valid() && (hasRow || known.longAt(keyCount + 1) <= end);
            if (hasStored && !(hasRow && changes.longAt(keyCount) <= known.longAt(keyCount + 1))) {
                addStored(known, hash);
                known.next();
            } else if (hasRow) {
                add(changes, hash);
                changes.next();
            } else {
                close(hash);
                return;
            }
        }
    }

    private void add(RowWalk row, long hash) {
        long time = row.longAt(keyCount);
        long rowEnd = Math.addExact(time, spec.gap());
        if (isOpen && time <= end) {
            takeBackOpen(hash);
        } else {
            open(hash, time, rowEnd);
        }
        end = Math.max(end, rowEnd);
        if (rows != null) {
            rows.change(row);
        }
        for (Accumulator accumulator : open) {
            accumulator.add(row, row.weight());
        }
    }

    private void addStored(RowView session, long hash) {
        long storedEnd = session.longAt(keyCount);
        long storedStart = session.longAt(keyCount + 1);
        if (isOpen && storedStart <= end) {
            takeBackOpen(hash);
            takeBack(session, hash);
            end = Math.max(end, storedEnd);
        } else {
            open(hash, storedStart, storedEnd);
            isStored = true;
            for (int column = 0; column < storages.length; column++) {
                stored.copy(column, storages[column], session, column);
            }
        }
        merge(session, open);
    }

    private void open(long hash, long from, long to) {
        close(hash);
        isOpen = true;
        start = from;
        end = to;
        clear(open);
    }

    private void merge(RowView session, Accumulator[] into) {
        int at = keyCount + 2;
        for (Accumulator accumulator : into) {
            accumulator.merge(session, at);
            at += accumulator.columns().size();
        }
    }

    private void takeBackOpen(long hash) {
        if (isStored) {
            takeBack(stored, hash);
            isStored = false;
        }
    }

    private void takeBack(RowView session, long hash) {
        states.addRow(session, hash, -1);
        clear(other);
        merge(session, other);
        giveResult(session.longAt(keyCount + 1), session.longAt(keyCount), other, -1);
    }

    /** Ends the open session; one that is as it was stored stays so. */
    private void close(long hash) {
        if (isOpen && !isStored) {
            SessionRows left = rows;
            if (left == null) {
                writeOpen(hash);
            } else if (!left.narrow(start, end - spec.gap(), spec.gap())) {
                readAgain(left, hash);
            } else if (!left.isEmpty()) {
                start = left.first();
                end = Math.addExact(left.last(), spec.gap());
                writeOpen(hash);
            }
        }
        if (rows != null) {
            rows.endSession();
        }
        isOpen = false;
        isStored = false;
    }

    /** Makes the sessions anew that the rows between the bounds of the open one are. */
    private void readAgain(SessionRows left, long hash) {
        long until = end;
        boolean hasRows = false;
        for (MergedCursor row = left.from(start);
                row.valid() && Math.addExact(row.longAt(keyCount), spec.gap()) <= until;
                left.next()) {
            long time = row.longAt(keyCount);
            if (!hasRows || time > end) {
                if (hasRows) {
                    writeOpen(hash);
                }
                hasRows = true;
                start = time;
                clear(open);
            }
            end = Math.addExact(time, spec.gap());
            for (Accumulator accumulator : open) {
                accumulator.add(row, row.weight());
            }
        }
        if (hasRows) {
            writeOpen(hash);
        }
    }

    private void writeOpen(long hash) {
        copyKey(states);
        states.setLong(keyCount, end);
        states.setLong(keyCount + 1, start);
        int at = keyCount + 2;
        for (Accumulator accumulator : open) {
            accumulator.store(states, at);
            at += accumulator.columns().size();
        }
        states.add(1, hash);
        giveResult(start, end, open, 1);
    }

    private static void clear(Accumulator[] accumulators) {
        for (Accumulator accumulator : accumulators) {
            accumulator.clear();
        }
    }

    private void copyKey(RowWriter out) {
        for (int column = 0; column < keyCount; column++) {
            out.copy(column, storages[column], key, column);
        }
    }

    private void giveResult(long from, long to, Accumulator[] aggregates, long weight) {
        try {
            writeResult(from, to, aggregates);
        } catch (ArithmeticException e) {
            copyKey(failed);
            failed.setLong(keyCount, from);
            failed.setLong(keyCount + 1, to);
            fail(e, Rows.groupText(failedSchema, failed), weight);
            return;
        }
        results.add(weight);
    }

    private void writeResult(long from, long to, Accumulator[] aggregates) {
        int at = 0;
        for (int column : spec.group()) {
            if (column < keyCount) {
                results.copy(at, storages[column], key, column);
            } else {
                results.setLong(at, column == keyCount ? from : to);
            }
            at++;
        }
        for (Accumulator accumulator : aggregates) {
            accumulator.result(results, at++);
        }
    }
}
