/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private final Spec spec;
    private final boolean global;
    private final boolean ownsGlobal;
    private final UnconsolidatedInput rows;
    private final GroupStates groups;
    private final Storage[] keyStorages;
    private final Storage[] stateStorages;
    private final Retention.Kept kept;

    /** How many rows a group has, in the first column behind its key. */
    private final Accumulator size = PartialAggregate.sizeOfGroup();

    /** Of each call its accumulator, or null where it reads an order; and the first column of its state. */
    private final @Nullable Accumulator[] accumulators;

    private final int[] places;

    /** For each column of the result the one of the state that it is, or -1 where it is computed. */
    private final int[] copied;

    private final List<DistinctPart> distincts = new ArrayList<>();
    private final List<OrderedPart> ordered = new ArrayList<>();
    private final RowSchema keySchema;
    private final BatchBuilder results;

    /** Groups of which a call that reads an order can not be computed, and what is wrong with it. */
    private final Map<Integer, ArithmeticException> failed = new HashMap<>();

    private final RowBuffer orderedNow;
    private final RowBuffer orderedBefore;
    private boolean startDue;

    /**
     * What is aggregated: rows come with the group columns as key and what calls read as value.
     *
     * @param input types of the rows, key columns first
     * @param keyCount how many columns make the group
     * @param calls over columns of these rows
     * @param appendOnly whether no row is ever taken back
     * @param rising columns of which a value goes only in the step in which one of its group comes that is not smaller
     */
    public record Spec(
            List<ColumnType> input, int keyCount, List<AggregateCall> calls, boolean appendOnly, List<Integer> rising) {

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
            return !call.kind().isLinear() && !(appendOnly && extreme) && !isRising(call);
        }

        /** Whether the maximum so far is the maximum although rows are taken back. */
        private boolean isRising(AggregateCall call) {
            return call.kind() == AggregateKind.MAX && call.filter() < 0 && rising.contains(call.argument());
        }

        /** Whether the result of a group never becomes smaller. */
        public boolean neverSinks(AggregateCall call) {
            boolean grows = call.kind() == AggregateKind.COUNT || call.kind() == AggregateKind.MAX;
            return (appendOnly && grows) || isRising(call);
        }

        /**
         * Whether what comes are sums of the rows of each worker thread, and not the rows: where all rows are one
         * group, and no call reads them in an order.
         */
        public boolean isOfPartials() {
            return keyCount == 0 && calls.stream().noneMatch(this::isOrdered);
        }

        /** What is known of the rows, for ids. */
        private String promise() {
            boolean onlyRises = !appendOnly && calls.stream().anyMatch(this::isRising);
            return appendOnly ? " of rows that only come" : onlyRises ? " of values that only rise " + rising : "";
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
            byArgument.forEach((argument, numbers) -> distincts.addAll(DistinctValues.of(argument, numbers, calls)));
            return distincts;
        }
    }

    /** Whether equal arguments make a difference to a call that does not read them in an order. */
    public static boolean isDistinct(AggregateCall call) {
        return call.kind().isLinear() && call.distinct();
    }

    /** Calls over distinct values, by their numbers, which come as changes of an input of their own. */
    private record DistinctPart(List<Integer> calls, UnconsolidatedInput changes) {}

    /**
     * A call that reads an arrangement of its own; the last result is in a column of the state, NULL where it could not
     * be computed.
     */
    private record OrderedPart(OrderedAggregate aggregate, Arrange rows, OrderedLayout layout, int place) {}

    private Aggregate(
            Spec spec, Retention retention, WorkerThreadContext context, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.spec = spec;
        List<ColumnType> key = spec.input().subList(0, spec.keyCount());
        this.global = key.isEmpty();
        this.ownsGlobal = global && context.ranges().contains(RowHash.finish(RowHash.start()));
        this.rows = new UnconsolidatedInput(inputs.get(0));
        this.accumulators = accumulators(spec);
        this.places = new int[accumulators.length];
        List<ColumnType> state = new ArrayList<>(size.columns());
        for (int i = 0; i < accumulators.length; i++) {
            Accumulator accumulator = accumulators[i];
            places[i] = key.size() + state.size();
            state.addAll(accumulator == null ? List.of() : accumulator.columns());
        }
        int firstOrdered = key.size() + state.size();
        int next = 1;
        for (int i = 0; i < accumulators.length; i++) {
            AggregateCall call = spec.calls().get(i);
            if (accumulators[i] == null) {
                List<ColumnType> arranged = arranged(spec, call);
                places[i] = key.size() + state.size();
                ordered.add(new OrderedPart(
                        new OrderedAggregate(call, arranged, ordered.size()),
                        (Arrange) inputs.get(next++),
                        OrderedAggregate.layout(call, arranged, spec.keyCount()),
                        places[i]));
                state.add(call.result().orNull());
            }
        }
        for (DistinctValues values : spec.distincts()) {
            distincts.add(new DistinctPart(values.calls(), new UnconsolidatedInput(inputs.get(next++))));
        }
        this.copied = copied();
        RowSchema stateSchema = new RowSchema(key, state);
        this.keySchema = new RowSchema(key, List.of());
        this.keyStorages = keySchema.storages();
        this.stateStorages = stateSchema.storages();
        Trace trace = context.trace("groups", stateSchema);
        this.kept = retention.of(trace, context.watermarks());
        this.groups = new GroupStates(trace, initialState(firstOrdered), kept, context.cache());
        this.results = new BatchBuilder(target);
        this.orderedNow = new RowBuffer(ordered.size());
        this.orderedBefore = new RowBuffer(ordered.size());
    }

    private static @Nullable Accumulator[] accumulators(Spec spec) {
        @Nullable Accumulator[] accumulators = new Accumulator[spec.calls().size()];
        for (int i = 0; i < accumulators.length; i++) {
            AggregateCall call = spec.calls().get(i);
            if (!spec.isOrdered(call) && !isDistinct(call)) {
                accumulators[i] = Accumulator.of(call, spec.input());
            }
        }
        for (DistinctValues values : spec.distincts()) {
            List<Accumulator> ofValues = PartialAggregate.accumulators(spec, values);
            for (int i = 0; i < ofValues.size(); i++) {
                accumulators[values.calls().get(i)] = ofValues.get(i);
            }
        }
        return accumulators;
    }

    private int[] copied() {
        int[] columns = IntStream.range(0, spec.output().size()).toArray();
        for (int call = 0; call < accumulators.length; call++) {
            Accumulator accumulator = accumulators[call];
            int result = accumulator == null ? 0 : accumulator.resultColumn();
            columns[spec.keyCount() + call] = result < 0 ? result : places[call] + result;
        }
        return columns;
    }

    /** The state of a group without rows. */
    private RowView initialState(int firstOrdered) {
        RowBuffer initial = new RowBuffer(stateStorages.length);
        initial.setLong(keyStorages.length, 0);
        for (int i = 0; i < accumulators.length; i++) {
            Accumulator accumulator = accumulators[i];
            if (accumulator != null) {
                accumulator.clear();
                accumulator.store(initial, places[i]);
            }
        }
        for (int place = firstOrdered; place < stateStorages.length; place++) {
            initial.setNull(place);
        }
        return initial;
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
        Node node = new Node(
                        "aggregate",
                        spec.calls() + spec.promise(),
                        inputs,
                        target,
                        (context, operators) -> new Aggregate(spec, retention, context, target, operators))
                .keepsState()
                .shownAs(() -> spec.text() + (spec.appendOnly() ? "; keeps only results" : "") + retention.text());
        return spec.calls().stream().allMatch(AggregateCall::isTotal) ? node : node.failing();
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
        kept.advance();
        UnconsolidatedRows changes = rows.rows();
        GroupedRows grouped = GroupedRows.of(changes, groups.find(changes));
        List<GroupedRows> values = new ArrayList<>();
        for (DistinctPart part : distincts) {
            UnconsolidatedRows changed = part.changes().rows();
            values.add(GroupedRows.of(changed, groups.find(changed)));
        }
        touch(grouped);
        values.forEach(this::touch);
        if (startDue && changes.isEmpty()) {
            groups.touch(groups.find(RowHash.finish(RowHash.start()), new RowBuffer(0)));
        }
        int[] touched = groups.touched();
        int[] before = writeBefore(touched);
        if (spec.isOfPartials()) {
            merge(grouped, values);
        } else {
            add(grouped, values);
        }
        readOrders(touched);
        writeNow(touched, before);
        startDue = false;
        count(groups.endStep());
        emit(results.unconsolidated());
    }

    private void add(GroupedRows grouped, List<GroupedRows> values) {
        size.addAll(grouped, groups.rows(), keyStorages.length);
        for (int call = 0; call < accumulators.length; call++) {
            Accumulator accumulator = accumulators[call];
            if (accumulator != null && !isDistinct(spec.calls().get(call))) {
                accumulator.addAll(grouped, groups.rows(), places[call]);
            }
        }
        for (int i = 0; i < values.size(); i++) {
            for (int call : distincts.get(i).calls()) {
                Objects.requireNonNull(accumulators[call]).addAll(values.get(i), groups.rows(), places[call]);
            }
        }
    }

    private void merge(GroupedRows partials, List<GroupedRows> ofValues) {
        RowTable states = groups.rows();
        int from = size.mergeAll(partials, 0, states, keyStorages.length);
        for (int call = 0; call < accumulators.length; call++) {
            if (!isDistinct(spec.calls().get(call))) {
                from = Objects.requireNonNull(accumulators[call]).mergeAll(partials, from, states, places[call]);
            }
        }
        for (int i = 0; i < ofValues.size(); i++) {
            from = 0;
            for (int call : distincts.get(i).calls()) {
                from = Objects.requireNonNull(accumulators[call]).mergeAll(ofValues.get(i), from, states, places[call]);
            }
        }
    }

    private void touch(GroupedRows grouped) {
        for (int group : grouped.groups) {
            groups.touch(group);
        }
    }

    private boolean isThere(int group) {
        return groups.rows().columns().longs(keyStorages.length)[group] > 0;
    }

    /** Takes the results of groups back; returns for each the number among the results, under 0 where it had none. */
    private int[] writeBefore(int[] touched) {
        boolean all = global && !startDue;
        failed.clear();
        for (OrderedPart part : ordered) {
            if (part.aggregate().mayFail()) {
                findFailed(part, touched, all);
            }
        }
        return writeResults(touched, all, -1);
    }

    /** Tells apart, of the groups whose last result of a call is NULL, those in which there was none. */
    private void findFailed(OrderedPart part, int[] touched, boolean all) {
        MergedCursor before = part.rows().probeBefore();
        for (int group : touched) {
            RowView state = groups.rows().row(group);
            if ((all || isThere(group)) && state.isNull(part.place())) {
                before.seekKey(groups.rows().hash(group), state);
                try {
                    part.aggregate().result(before, part.layout().view(before), orderedNow);
                } catch (ArithmeticException e) {
                    failed.putIfAbsent(group, e);
                }
            }
        }
        count(before);
    }

    private void writeNow(int[] touched, int[] before) {
        int[] now = writeResults(touched, global, 1);
        for (int i = 0; i < touched.length; i++) {
            if (before[i] >= 0 && now[i] >= 0) {
                results.dropIfEqual(before[i], now[i]);
            }
            int group = touched[i];
            groups.changed(group, isThere(group) || !isZero(groups.rows().row(group)));
        }
    }

    /** Writes the results of groups that are there, or of all; returns for each its number, under 0 for none. */
    private int[] writeResults(int[] touched, boolean all, long weight) {
        int[] written = new int[touched.length];
        int[] numbers = new int[touched.length];
        int count = 0;
        for (int i = 0; i < touched.length; i++) {
            numbers[i] = -1;
            ArithmeticException failure = failed.get(touched[i]);
            if (!all && !isThere(touched[i])) {
                continue;
            }
            if (failure == null) {
                numbers[i] = results.rowCount() + count;
                written[count++] = touched[i];
            } else {
                fail(failure, touched[i], weight);
            }
        }
        written = Arrays.copyOf(written, count);
        int first = results.addAll(groups.rows(), written, copied, weight);
        for (int call = 0; call < accumulators.length; call++) {
            Accumulator accumulator = accumulators[call];
            if (accumulator != null && copied[keyStorages.length + call] < 0) {
                compute(accumulator, call, written, first);
            }
        }
        if (failed.isEmpty()) {
            return numbers;
        }
        for (int i = 0; i < touched.length; i++) {
            ArithmeticException failure = failed.get(touched[i]);
            if (numbers[i] >= 0 && failure != null) {
                fail(failure, touched[i], weight);
                results.drop(numbers[i]);
                numbers[i] = -1;
            }
        }
        return numbers;
    }

    private void fail(ArithmeticException failure, int group, long weight) {
        fail(failure, Rows.groupText(keySchema, groups.rows().row(group)), weight);
    }

    private void compute(Accumulator accumulator, int call, int[] written, int first) {
        for (int i = 0; i < written.length; i++) {
            RowView state = groups.rows().row(written[i]);
            RowWriter out = results.writeOver(first + i);
            try {
                accumulator.result(state, places[call], out, keyStorages.length + call);
            } catch (ArithmeticException e) {
                out.setNull(keyStorages.length + call);
                failed.putIfAbsent(written[i], e);
            }
        }
        results.written();
    }

    private boolean isZero(RowView state) {
        boolean zero = state.longAt(keyStorages.length) == 0;
        for (int i = 0; i < accumulators.length; i++) {
            Accumulator accumulator = accumulators[i];
            zero &= accumulator == null || accumulator.isZero(state, places[i]);
        }
        return zero;
    }

    /** Brings what is read from orders up to date, group by group. */
    private void readOrders(int[] touched) {
        failed.clear();
        if (ordered.isEmpty()) {
            return;
        }
        int[] groupsByHash = touched.clone();
        groups.rows().sortByHash(groupsByHash);
        List<BatchCursor> changes =
                ordered.stream().map(part -> part.rows().output().probe()).toList();
        List<MergedCursor> remembered =
                ordered.stream().map(part -> part.rows().probeAfter()).toList();
        for (int group : groupsByHash) {
            RowView state = groups.rows().row(group);
            for (int i = 0; i < ordered.size(); i++) {
                OrderedPart part = ordered.get(i);
                orderedBefore.copy(i, stateStorages[part.place()], state, part.place());
                try {
                    readOrder(part, groups.rows().hash(group), state, changes.get(i), remembered.get(i));
                } catch (ArithmeticException e) {
                    orderedNow.setNull(i);
                    failed.putIfAbsent(group, e);
                }
            }
            RowWriter out = groups.rows().writeOver(group);
            for (int i = 0; i < ordered.size(); i++) {
                int place = ordered.get(i).place();
                out.copy(place, stateStorages[place], orderedNow, i);
            }
            groups.rows().written();
        }
        remembered.forEach(this::count);
    }

    private void readOrder(OrderedPart part, long hash, RowView group, BatchCursor change, MergedCursor remembered) {
        change.seekKey(hash, group);
        if (part.aggregate().stays(change, part.layout().view(change), orderedBefore)) {
            part.aggregate().keep(orderedBefore, orderedNow);
        } else {
            remembered.seekKey(hash, group);
            part.aggregate().result(remembered, part.layout().view(remembered), orderedNow);
        }
    }
}
