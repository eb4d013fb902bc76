/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.LooseRows;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowWalk;
import dev.ratchet.circuits.circuit.LaneContext;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.Watermarks;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Groups and their aggregates. Of each group it keeps one row: how many rows it has, the {@link Accumulator}s and the
 * last results of what is read from an order ({@link GroupStates}). A change of a group reads and writes that row, the
 * rows that changed, and the first rows of the orders; nothing else of the group. A group is there while it has more
 * than 0 rows; the one group of an empty key is always there.
 */
public final class Aggregate extends Operator {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    private final Spec spec;
    private final boolean global;
    private final boolean ownsGlobal;
    private final GroupStates groups;
    private final RowSchema stateSchema;
    private final Storage[] keyStorages;
    private final Watermarks watermarks;
    private final Retention.@Nullable Kept kept;
    private final Accumulator[] accumulators;
    private final Accumulator[] overRows;
    private final List<DistinctPart> distincts = new ArrayList<>();
    private final List<OrderedPart> ordered = new ArrayList<>();
    private final BatchBuilder results;
    private final RowBuffer group;
    private final RowBuffer orderedNow;
    private final RowBuffer orderedBefore;
    private RowWalk[] distinctChanges = {};
    private BatchCursor[] orderedChanges = {};
    private MergedCursor[] orderedRows = {};
    private boolean startDue;
    private long rowsOfGroup;

    /**
     * What is aggregated: rows come with the group columns as key and what calls read as value.
     *
     * @param input types of the rows, key columns first
     * @param keyCount how many columns make the group
     * @param calls over columns of these rows
     * @param appendOnly whether no row is ever taken back
     */
    public record Spec(List<ColumnType> input, int keyCount, List<AggregateCall> calls, boolean appendOnly) {

        /** Group columns, then one column per call. */
        public List<ColumnType> output() {
            List<ColumnType> output = new ArrayList<>(input.subList(0, keyCount));
            calls.forEach(call -> output.add(call.result()));
            return output;
        }

        /** For people, as SQL. */
        String text() {
            List<Integer> group = IntStream.range(0, keyCount).boxed().toList();
            return AggregateCall.text(calls, ShownSql.columns(group));
        }

        /** Whether a call reads the rows of its group in an order. */
        boolean isOrdered(AggregateCall call) {
            boolean extreme = call.kind() == AggregateKind.MIN || call.kind() == AggregateKind.MAX;
            return !call.kind().isLinear() && !(appendOnly && extreme);
        }

        /** Linear calls over distinct values, by the column that has the values. */
        public List<DistinctValues> distincts() {
            Map<Integer, List<Integer>> byArgument = new TreeMap<>();
            for (int i = 0; i < calls.size(); i++) {
                if (isDistinct(calls.get(i))) {
                    byArgument
                            .computeIfAbsent(calls.get(i).argument(), column -> new ArrayList<>())
                            .add(i);
                }
            }
            List<DistinctValues> distincts = new ArrayList<>();
            byArgument.forEach((argument, numbers) -> {
                List<Integer> filters = numbers.stream()
                        .map(number -> calls.get(number).filter())
                        .filter(filter -> filter >= 0)
                        .distinct()
                        .sorted()
                        .toList();
                distincts.add(new DistinctValues(argument, numbers, filters));
            });
            return distincts;
        }
    }

    /** Whether equal arguments make a difference to a call that does not read them in an order. */
    public static boolean isDistinct(AggregateCall call) {
        return call.kind().isLinear() && call.distinct();
    }

    /** Calls over distinct values, which come as changes of an input of their own. */
    private record DistinctPart(Accumulator[] accumulators, Operator changes) {}

    /** A call that reads an arrangement of its own. */
    private record OrderedPart(OrderedAggregate aggregate, Arrange rows, OrderedLayout layout) {}

    private Aggregate(Spec spec, Retention retention, LaneContext context, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.spec = spec;
        List<ColumnType> key = spec.input().subList(0, spec.keyCount());
        this.global = key.isEmpty();
        this.ownsGlobal = global && context.range().contains(RowHash.finish(RowHash.start()));
        this.accumulators = new Accumulator[spec.calls().size()];
        List<ColumnType> state = new ArrayList<>(List.of(BIGINT));
        List<ColumnType> orderedTypes = new ArrayList<>();
        List<Accumulator> plain = new ArrayList<>();
        int next = 1;
        for (int i = 0; i < accumulators.length; i++) {
            AggregateCall call = spec.calls().get(i);
            if (spec.isOrdered(call)) {
                List<ColumnType> arranged = arranged(spec, call);
                OrderedLayout layout = OrderedAggregate.layout(call, arranged, spec.keyCount());
                ordered.add(new OrderedPart(
                        new OrderedAggregate(call, arranged, orderedTypes.size()),
                        (Arrange) inputs.get(next++),
                        layout));
                orderedTypes.add(call.result().orNull());
            } else if (!isDistinct(call)) {
                accumulators[i] = Accumulator.of(call, spec.input());
                plain.add(accumulators[i]);
            }
        }
        for (DistinctValues values : spec.distincts()) {
            distincts.add(new DistinctPart(overValues(values), inputs.get(next++)));
        }
        this.overRows = plain.toArray(Accumulator[]::new);
        for (Accumulator accumulator : accumulators) {
            if (accumulator != null) {
                state.addAll(accumulator.columns());
            }
        }
        state.addAll(orderedTypes);
        this.stateSchema = new RowSchema(key, state);
        this.keyStorages = new RowSchema(key, List.of()).storages();
        Trace trace = context.trace("groups", stateSchema);
        this.watermarks = context.watermarks();
        this.kept = retention.isBounded() ? retention.start() : null;
        if (kept != null) {
            kept.advance(watermarks);
            trace.retain(kept);
        }
        this.groups = new GroupStates(trace, kept, context.cache());
        this.results = new BatchBuilder(target);
        this.group = new RowBuffer(spec.input().size());
        this.orderedNow = new RowBuffer(orderedTypes.size());
        this.orderedBefore = new RowBuffer(orderedTypes.size());
    }

    private Accumulator[] overValues(DistinctValues values) {
        List<ColumnType> columns = values.changes(spec).columns();
        List<Accumulator> over = new ArrayList<>();
        for (int call : values.calls()) {
            accumulators[call] = Accumulator.of(values.over(spec, spec.calls().get(call)), columns);
            over.add(accumulators[call]);
        }
        return over.toArray(Accumulator[]::new);
    }

    /** The rows of a call's own input: the group, the order columns, the argument. */
    static List<ColumnType> arranged(Spec spec, AggregateCall call) {
        List<ColumnType> columns = new ArrayList<>(spec.input().subList(0, spec.keyCount()));
        call.order().forEach(sort -> columns.add(spec.input().get(sort.column())));
        columns.add(spec.input().get(call.argument()));
        return columns;
    }

    static AggregateCall onDistinct(AggregateCall call, int argument) {
        return AggregateCall.of(call.kind(), argument, call.result());
    }

    /**
     * The stages that make the rows of a call's own input from those of the aggregate.
     *
     * @return empty where the call has none
     */
    public static List<PipeStage> stagesOf(Spec spec, AggregateCall call) {
        if (!spec.isOrdered(call) && !isDistinct(call)) {
            return List.of();
        }
        int argument = call.argument();
        int needed =
                switch (call.kind()) {
                    case ARRAY_AGG, SINGLE_VALUE -> AggregateCall.NO_COLUMN;
                    case FIRST -> call.order().get(0).column();
                    default -> argument;
                };
        List<PipeStage> stages = new ArrayList<>();
        int filter = call.filter();
        stages.add(new PipeStage.Filter(new RowFilter() {
            @Override
            public boolean test(RowView row) {
                return (filter < 0 || (!row.isNull(filter) && row.longAt(filter) != 0))
                        && (needed < 0 || !row.isNull(needed));
            }

            @Override
            public BitSet columnsRead() {
                BitSet read = new BitSet();
                IntStream.of(filter, needed).filter(column -> column >= 0).forEach(read::set);
                return read;
            }

            @Override
            public String description() {
                return "argument " + argument + " where " + filter + (needed < 0 ? " or null" : " and " + needed);
            }

            @Override
            public String text() {
                String where = filter < 0 ? "" : ShownSql.column(filter);
                String present = needed < 0 ? "" : ShownSql.column(needed) + " IS NOT NULL";
                String both = where + (where.isEmpty() || present.isEmpty() ? "" : " AND ") + present;
                return both.isEmpty() ? "TRUE" : both;
            }
        }));
        List<Integer> columns = new ArrayList<>();
        for (int column = 0; column < spec.keyCount(); column++) {
            columns.add(column);
        }
        call.order().forEach(sort -> columns.add(sort.column()));
        columns.add(argument);
        stages.add(new PipeStage.Project(columns));
        if (!call.kind().isLinear()) {
            stages.add(OrderedAggregate.layout(call, arranged(spec, call), spec.keyCount())
                    .stage());
        }
        return stages;
    }

    /** The schema that {@link #stagesOf} ends in. */
    public static RowSchema schemaOf(Spec spec, AggregateCall call) {
        List<ColumnType> arranged = arranged(spec, call);
        return call.kind().isLinear()
                ? new RowSchema(
                        arranged.subList(0, spec.keyCount()), arranged.subList(spec.keyCount(), arranged.size()))
                : OrderedAggregate.layout(call, arranged, spec.keyCount()).schema();
    }

    /**
     * Aggregates the rows of a node.
     *
     * @param retention of groups, by their columns
     * @param inputs the rows by group, then for each call that reads an order the arrangement in it, then what the
     *     aggregates in front of {@link Spec#distincts} give, by group
     */
    public static Node of(Spec spec, Retention retention, List<Node> inputs, RowSchema target) {
        return new Node(
                        "aggregate",
                        spec.calls() + (spec.appendOnly() ? " of rows that only come" : ""),
                        inputs,
                        target,
                        (context, operators) -> new Aggregate(spec, retention, context, target, operators))
                .shownAs(() -> spec.text() + (spec.appendOnly() ? "; keeps only results" : "") + retention.text());
    }

    @Override
    protected void start() {
        startDue = ownsGlobal;
    }

    @Override
    protected boolean wanted() {
        return startDue || super.wanted();
    }

    @Override
    protected void evaluate() {
        if (kept != null) {
            kept.advance(watermarks);
        }
        RowWalk row = byGroup(input(0));
        distinctChanges =
                distincts.stream().map(part -> byGroup(part.changes())).toArray(RowWalk[]::new);
        orderedChanges =
                ordered.stream().map(part -> part.rows().output().probe()).toArray(BatchCursor[]::new);
        orderedRows = ordered.stream().map(part -> part.rows().probeAfter()).toArray(MergedCursor[]::new);
        if (!row.valid() && startDue) {
            regroup(row, RowHash.finish(RowHash.start()));
        }
        while (row.valid()) {
            regroup(row, row.hash());
        }
        startDue = false;
        count(groups.endStep());
        for (MergedCursor rows : orderedRows) {
            count(rows);
        }
        emit(results.loose());
    }

    private static RowWalk byGroup(Operator input) {
        LooseRows loose = input.looseOutput();
        return loose == null ? input.output().cursor() : loose.byKey();
    }

    /** Brings one group up to date with the rows from where the cursor stands to the next group. */
    private void regroup(RowWalk row, long hash) {
        if (row.valid()) {
            for (int column = 0; column < keyStorages.length; column++) {
                group.copy(column, keyStorages[column], row, column);
            }
        }
        load(groups.find(hash, group));
        boolean wasThere = rowsOfGroup > 0 || (global && !startDue);
        if (wasThere) {
            writeResult(orderedBefore);
            results.add(-1);
        }
        while (row.valid() && row.hash() == hash && Rows.sameKey(stateSchema, row, group)) {
            rowsOfGroup = Math.addExact(rowsOfGroup, row.weight());
            for (Accumulator accumulator : overRows) {
                accumulator.add(row, row.weight());
            }
            row.next();
        }
        // Values change in groups that have changed rows, so that both walks meet the same groups in the same order.
        for (int i = 0; i < distinctChanges.length; i++) {
            RowWalk changed = distinctChanges[i];
            while (changed.valid() && changed.hash() == hash && Rows.sameKey(stateSchema, changed, group)) {
                for (Accumulator accumulator : distincts.get(i).accumulators()) {
                    accumulator.add(changed, changed.weight());
                }
                changed.next();
            }
        }
        for (int i = 0; i < orderedRows.length; i++) {
            OrderedPart part = ordered.get(i);
            BatchCursor change = orderedChanges[i];
            change.seekKey(hash, group);
            if (part.aggregate().stays(change, part.layout().view(change), orderedBefore)) {
                part.aggregate().keep(orderedBefore, orderedNow);
            } else {
                MergedCursor rows = orderedRows[i];
                rows.seekKey(hash, group);
                part.aggregate().result(rows, part.layout().view(rows), orderedNow);
            }
        }
        writeState();
        if (rowsOfGroup > 0 || global) {
            writeResult(orderedNow);
            if (wasThere) {
                results.addInsteadOfLast();
            } else {
                results.add(1);
            }
        }
    }

    private void load(@Nullable RowView state) {
        int at = spec.keyCount();
        rowsOfGroup = state == null ? 0 : state.longAt(at);
        at++;
        for (Accumulator accumulator : accumulators) {
            if (accumulator != null) {
                accumulator.clear();
                if (state != null) {
                    accumulator.merge(state, at);
                }
                at += accumulator.columns().size();
            }
        }
        for (int i = 0; i < ordered.size(); i++) {
            if (state == null) {
                orderedBefore.setNull(i);
            } else {
                orderedBefore.copy(i, stateSchema.storages()[at + i], state, at + i);
            }
        }
    }

    private void writeState() {
        boolean empty = rowsOfGroup == 0;
        for (Accumulator accumulator : accumulators) {
            empty &= accumulator == null || accumulator.isZero();
        }
        RowWriter out = groups.write();
        if (groups.isNew()) {
            copyKey(out);
        }
        int at = keyStorages.length;
        out.setLong(at++, rowsOfGroup);
        for (Accumulator accumulator : accumulators) {
            if (accumulator != null) {
                accumulator.store(out, at);
                at += accumulator.columns().size();
            }
        }
        for (int i = 0; i < ordered.size(); i++) {
            out.copy(at + i, stateSchema.storages()[at + i], orderedNow, i);
        }
        groups.written(!empty);
    }

    private void writeResult(RowView orderedResults) {
        int at = copyKey(results);
        int nextOrdered = 0;
        for (Accumulator accumulator : accumulators) {
            if (accumulator != null) {
                accumulator.result(results, at);
            } else {
                results.copy(at, schema().storages()[at], orderedResults, nextOrdered++);
            }
            at++;
        }
    }

    private int copyKey(RowWriter out) {
        for (int column = 0; column < keyStorages.length; column++) {
            out.copy(column, keyStorages[column], group, column);
        }
        return keyStorages.length;
    }
}
