/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.Ahead;
import dev.ratchet.circuits.operator.Arrange;
import dev.ratchet.circuits.operator.Delay;
import dev.ratchet.circuits.operator.KeptTopK;
import dev.ratchet.circuits.operator.Ordered;
import dev.ratchet.circuits.operator.Pipe;
import dev.ratchet.circuits.operator.PipeStage;
import dev.ratchet.circuits.operator.RankKind;
import dev.ratchet.circuits.operator.Retention;
import dev.ratchet.circuits.operator.RowExpander;
import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.operator.RowMapper;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.operator.Sum;
import dev.ratchet.circuits.operator.TopK;
import dev.ratchet.circuits.operator.WeightLaw;
import dev.ratchet.circuits.operator.Weights;
import dev.ratchet.circuits.operator.WindowCall;
import dev.ratchet.circuits.operator.WindowParts;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows with weights that change from step to step, and what can be computed from them. Every result is kept up to date
 * incrementally. Columns are numbered from 0; a stream is a value, so each method leaves its stream as it is.
 */
public final class Stream {

    private final Nodes nodes;
    private final Node base;
    private final List<PipeStage> stages;
    private final List<ColumnType> columns;
    private final Map<List<Object>, Arrangement> arrangements = new HashMap<>();
    private final Map<List<Integer>, Stream> filters = new HashMap<>();
    private final Map<List<List<?>>, Arrangement> orders = new HashMap<>();
    private final Bounds bounds;

    /** Whether no row is ever taken back. */
    private final boolean appendOnly;

    private final Rising rising;

    /** Whether all rows come in the first step. */
    private final boolean constant;

    private @Nullable Node node;

    Stream(Nodes nodes, Node base, List<PipeStage> stages, List<ColumnType> columns) {
        this(nodes, base, stages, columns, Bounds.NONE, false, Rising.NONE, false);
    }

    private Stream(
            Nodes nodes,
            Node base,
            List<PipeStage> stages,
            List<ColumnType> columns,
            Bounds bounds,
            boolean appendOnly,
            Rising rising,
            boolean constant) {
        this.bounds = bounds;
        this.appendOnly = appendOnly;
        this.rising = rising;
        this.constant = constant;
        this.nodes = nodes;
        this.base = base;
        this.stages = List.copyOf(stages);
        this.columns = List.copyOf(columns);
        this.node = stages.isEmpty() ? base : null;
    }

    public List<ColumnType> columns() {
        return columns;
    }

    // Linear operators: they are run row by row in one operator, up to where a result is needed as a whole.

    /** The rows for which the filter says so. */
    public Stream filter(RowFilter filter) {
        nodes.checkNamed(filter, filter.description(), "filter");
        return with(new PipeStage.Filter(filter), columns);
    }

    /** One row of each row. */
    public Stream map(List<ColumnType> to, RowMapper mapper) {
        nodes.checkNamed(mapper, mapper.description(), "map");
        return with(new PipeStage.Map(List.copyOf(to), mapper), to);
    }

    /** Any number of rows of each row. */
    public Stream flatMap(List<ColumnType> to, RowExpander expander) {
        nodes.checkNamed(expander, expander.description(), "flatMap");
        return with(new PipeStage.Expand(List.copyOf(to), expander), to);
    }

    /** Some columns, in any order, also twice. */
    public Stream project(List<Integer> of) {
        return with(
                new PipeStage.Project(List.copyOf(of)),
                of.stream().map(columns::get).toList());
    }

    /** The rows with negated weights. */
    public Stream negate() {
        return with(new PipeStage.Weigh(-1), columns);
    }

    private Stream with(PipeStage stage, List<ColumnType> to) {
        Node whole = node;
        List<PipeStage> longer = new ArrayList<>(whole == null ? stages : List.of());
        longer.add(stage);
        boolean onlyComes = appendOnly && !(stage instanceof PipeStage.Weigh weigh && weigh.factor() < 0);
        return new Stream(
                nodes,
                whole == null ? base : whole,
                longer,
                to,
                bounds.through(stage),
                onlyComes,
                rising.through(stage),
                constant);
    }

    /** The sum of weights: UNION ALL. */
    public Stream plus(Stream other) {
        Nodes common = nodes.with(other.nodes);
        Stream theirs = other.in(common).as(columns);
        Stream mine = in(common).as(theirs.columns);
        return mine.of(Sum.of(List.of(mine.node(), theirs.node())), theirs.columns)
                .bounded(mine.bounds.or(theirs.bounds))
                .appendOnly(mine.appendOnly && theirs.appendOnly)
                .constant(mine.constant && theirs.constant);
    }

    /** The difference of weights, which may be negative; EXCEPT ALL is {@link #exceptAll}. */
    public Stream minus(Stream other) {
        return plus(other.negate());
    }

    // Set operations.

    /** Each row once. */
    public Stream distinct() {
        return weigh(WeightLaw.DISTINCT, List.of(this));
    }

    public Stream exceptAll(Stream other) {
        return weigh(WeightLaw.EXCEPT_ALL, List.of(this, other));
    }

    public Stream except(Stream other) {
        return weigh(WeightLaw.EXCEPT, List.of(this, other));
    }

    public Stream intersectAll(Stream other) {
        return weigh(WeightLaw.INTERSECT_ALL, List.of(this, other));
    }

    public Stream intersect(Stream other) {
        return weigh(WeightLaw.INTERSECT, List.of(this, other));
    }

    private Stream weigh(WeightLaw law, List<Stream> sides) {
        List<ColumnType> common = columns;
        Nodes place = nodes;
        for (Stream side : sides) {
            common = side.widened(common);
            place = place.with(side.nodes);
        }
        List<Stream> aligned = new ArrayList<>();
        for (Stream side : sides) {
            aligned.add(side.in(place).as(common));
        }
        Bounds either = aligned.stream().map(Stream::bounds).reduce(Bounds::or).orElse(Bounds.NONE);
        List<Integer> all = columns(columns.size());
        List<Node> arranged = new ArrayList<>();
        for (Stream side : aligned) {
            Arrangement arrangement = side.arrange(all);
            either.restrict(arrangement.retention(), all);
            arranged.add(arrangement.node());
        }
        return in(place)
                .of(Weights.of(law, arranged).placedBy(List.of(all)), common)
                .bounded(either)
                .appendOnly(law == WeightLaw.DISTINCT && appendOnly)
                .constant(aligned.stream().allMatch(Stream::isConstant));
    }

    // Joins.

    /**
     * Pairs rows whose keys are equal; NULL equals nothing.
     *
     * @param keys columns of this stream
     * @param otherKeys columns of the other, of the same types but for NULL; both empty pairs every row with every row
     * @param condition over this stream's columns and then the other's, which a pair must also meet; null for none
     * @return this stream's columns, then the other's; SEMI and ANTI give this stream's alone
     */
    public Stream join(
            Stream other, JoinKind kind, List<Integer> keys, List<Integer> otherKeys, @Nullable RowFilter condition) {
        Nodes common = nodes.with(other.nodes);
        common.checkNamed(condition, condition == null ? "" : condition.description(), "join");
        return new Joins(in(common), other.in(common), keys, otherKeys, condition).of(kind);
    }

    /** As {@link #join} without a further condition. */
    public Stream join(Stream other, JoinKind kind, List<Integer> keys, List<Integer> otherKeys) {
        return join(other, kind, keys, otherKeys, null);
    }

    // Aggregates.

    /**
     * One row per group of rows that are equal in some columns; of no columns, one row for all, also where there is
     * none.
     *
     * @return the group columns, then one column per call
     */
    public Stream aggregate(List<Integer> group, List<AggregateCall> calls) {
        Stream ofSessions = SessionSource.aggregate(this, group, calls);
        return ofSessions == null ? new Aggregates(this, group, calls).build() : ofSessions;
    }

    // Orders.

    /**
     * The first rows of each group in an order; ties beyond it are broken by the other columns, ascending.
     *
     * @return this stream's columns and, where the spec says so, the number as a column of the rank type
     */
    public Stream topK(List<Integer> group, List<SortColumn> order, TopK.Spec spec, ColumnType rankType) {
        Ordered ordered = new Ordered(columns, group, order);
        if (appendOnly && !nodes.isRecursion() && KeptTopK.isFor(spec)) {
            Retention retention = new Retention();
            bounds.selected(group).restrict(retention, columns(group.size()));
            Node rows = nodes.exchange(piped(List.of(ordered.stage()), ordered.schema()));
            return made(ordered.keptTopK(rows, retention, spec, rankType), group)
                    .bounded(bounds.only(group));
        }
        return made(ordered.topK(arrange(ordered, group, order), spec, rankType), group)
                .bounded(bounds.only(group));
    }

    /** The first rows of each group by row number. */
    public Stream topK(List<Integer> group, List<SortColumn> order, long limit) {
        return topK(group, order, new TopK.Spec(RankKind.ROW_NUMBER, 0, limit, false), ColumnType.of(TypeKind.BIGINT));
    }

    /** The rows with the largest, or smallest, value of their group in a column, none of these columns being NULL. */
    public Stream extremes(List<Integer> group, int column, boolean largest) {
        List<Integer> present = new ArrayList<>(group);
        present.add(column);
        SortColumn order = largest ? SortColumn.descending(column) : SortColumn.ascending(column);
        TopK.Spec best = new TopK.Spec(RankKind.RANK, 0, 1, false);
        return withoutNulls(present).topK(group, List.of(order), best, ColumnType.of(TypeKind.BIGINT));
    }

    /** Whether the largest, or smallest, value of a group never goes before a better one comes. */
    public boolean keepsExtremes(List<Integer> group, int column, boolean largest) {
        return appendOnly || (largest && rising.risesWithin(group, column));
    }

    /**
     * Each row with what it can see of its group in an order.
     *
     * @return this stream's columns, then one per call
     */
    public Stream window(List<Integer> group, List<SortColumn> order, List<WindowCall> calls) {
        WindowParts parts = WindowParts.of(calls, order, columns);
        if (parts.parts().size() == 1 || nodes.isRecursion()) {
            Ordered ordered = new Ordered(columns, group, order);
            return made(ordered.window(arrange(ordered, group, order), calls), group)
                    .bounded(bounds.only(group));
        }
        Stream stream = this;
        for (List<WindowCall> part : parts.parts()) {
            stream = stream.window(group, order, part);
        }
        IntStream added = parts.places().stream().mapToInt(place -> columns.size() + place);
        return stream.project(IntStream.concat(IntStream.range(0, columns.size()), added)
                .boxed()
                .toList());
    }

    /**
     * Each row with start and end of its session: times of a group that follow each other by at most a gap.
     *
     * @param time column of LONG storage; rows in which it is NULL are left out
     * @param gap in the unit of the column
     */
    public Stream sessions(List<Integer> group, int time, long gap) {
        List<SortColumn> order = List.of(SortColumn.ascending(time));
        Ordered ordered = new Ordered(columns, group, order);
        Node sessions = ordered.sessions(arrange(ordered, group, order), time, gap);
        return made(sessions.withDetail(new SessionSource(this, group, time, gap)), group)
                .bounded(bounds.only(group));
    }

    /**
     * Each row with start and end of each window that it lies in, windows of one size that begin every slide.
     *
     * @param time column of LONG storage; rows in which it is NULL are left out
     * @param slide distance of the starts, over 0; as large as the size for windows that tumble
     * @param offset a start; the others are slides away from it
     */
    public Stream hop(int time, long slide, long size, long offset) {
        List<ColumnType> to = new ArrayList<>(columns);
        Hop hop = new Hop(columns, time, slide, size, Math.floorMod(offset, slide));
        to.addAll(List.of(hop.boundType(), hop.boundType()));
        return flatMap(to, hop);
    }

    /**
     * Each row with the last row of the other stream whose keys are equal and whose time is not later.
     *
     * @param kind INNER, or LEFT to keep rows without a partner
     * @param time column of this stream, of the type of {@code otherTime} of the other
     */
    public Stream asOf(
            Stream other, JoinKind kind, List<Integer> keys, List<Integer> otherKeys, int time, int otherTime) {
        if (kind != JoinKind.INNER && kind != JoinKind.LEFT) {
            throw new IllegalArgumentException("An as-of join of kind " + kind + "; use INNER or LEFT");
        }
        Nodes common = nodes.with(other.nodes);
        Stream mineThere = in(common);
        // Rows whose key has a NULL have no partner: the right ones are left out, the left ones find none.
        Stream candidates = other.in(common).withoutNulls(otherKeys);
        List<SortColumn> order = List.of(SortColumn.ascending(time));
        List<SortColumn> otherOrder = List.of(SortColumn.ascending(otherTime));
        Ordered mine = new Ordered(columns, keys, order);
        Ordered theirs = new Ordered(other.columns, otherKeys, otherOrder);
        Bounds either = mineThere.bounds.selected(keys).or(candidates.bounds.selected(otherKeys));
        Node found = mine.asOf(
                mineThere.arrange(mine, keys, order, either),
                theirs,
                candidates.arrange(theirs, otherKeys, otherOrder, either),
                kind == JoinKind.LEFT);
        return mineThere.made(found, keys);
    }

    private Node arrange(Ordered ordered, List<Integer> key, List<SortColumn> order) {
        return arrange(ordered, key, order, bounds.selected(key));
    }

    /** Arranges for a reader of groups whose key columns, numbered as in the key, have these bounds. */
    private Node arrange(Ordered ordered, List<Integer> key, List<SortColumn> order, Bounds reached) {
        Arrangement arrangement = orders.computeIfAbsent(List.of(key, order), wanted -> {
            Retention retention = new Retention();
            Node arranged = Arrange.of(
                    nodes.exchange(piped(List.of(ordered.stage()), ordered.schema())), retention, appendOnly);
            return new Arrangement(nodes.add(arranged), new int[0], retention);
        });
        reached.restrict(arrangement.retention(), columns(key.size()));
        return arrangement.node();
    }

    /** The result of an operator over groups. */
    private Stream made(Node result, List<Integer> group) {
        return of(result.placedBy(List.of(group)), result.schema().columns());
    }

    /** So many columns, the first ones. */
    static List<Integer> columns(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    // Streams as batch after batch.

    /** In each step what came in the step before (z^-1). */
    public Stream delay() {
        return over(Delay.Kind.DELAY);
    }

    /** In each step the sum of all changes so far (I), which costs as much as it is large. */
    public Stream integrate() {
        return over(Delay.Kind.INTEGRATE);
    }

    /** In each step what came less what came in the step before (D). */
    public Stream differentiate() {
        return over(Delay.Kind.DIFFERENTIATE);
    }

    private Stream over(Delay.Kind kind) {
        if (nodes.isRecursion()) {
            throw new IllegalArgumentException(
                    kind + " inside a recursion, whose steps are iterations; use it outside");
        }
        return of(Delay.of(kind, nodes.exchange(node())).placedBy(List.of(columns(columns.size()))), columns);
    }

    /** Whether it is a stream of the body of a recursion, which nothing outside may read. */
    public boolean isInsideRecursion() {
        return nodes.isRecursion();
    }

    // What the classes of this package build from.

    Nodes nodes() {
        return nodes;
    }

    /** What the stages are run over. */
    Node base() {
        return base;
    }

    /** What makes the stream of its base. */
    List<PipeStage> stages() {
        return stages;
    }

    Bounds bounds() {
        return bounds;
    }

    /** The stream, known to have these bounds. */
    Stream bounded(Bounds known) {
        return known.columns().isEmpty()
                ? this
                : new Stream(nodes, base, stages, columns, known, appendOnly, rising, constant);
    }

    boolean isAppendOnly() {
        return appendOnly;
    }

    /** The stream, known to be one of which no row is ever taken back, or not known to be. */
    Stream appendOnly(boolean known) {
        return known == appendOnly ? this : new Stream(nodes, base, stages, columns, bounds, known, rising, constant);
    }

    boolean isConstant() {
        return constant;
    }

    /** The stream, all of whose rows are known to come in the first step, or not known to. */
    Stream constant(boolean known) {
        return known == constant ? this : new Stream(nodes, base, stages, columns, bounds, appendOnly, rising, known);
    }

    Rising rising() {
        return rising;
    }

    /** The stream, of whose rows that are taken back this is known. */
    Stream rising(Rising known) {
        return new Stream(nodes, base, stages, columns, bounds, appendOnly, known, constant);
    }

    /** The stream as a recursion sees it, or the program itself. */
    Stream in(Nodes wanted) {
        if (nodes == wanted) {
            return this;
        }
        if (nodes.isRecursion()) {
            throw new IllegalArgumentException(
                    "A stream inside a recursion was used outside of it; use what the recursion returns");
        }
        return wanted.importOf(this);
    }

    Stream of(Node made, List<ColumnType> types) {
        return new Stream(nodes, nodes.add(made), List.of(), types);
    }

    /** The stream as a node whose key is the whole row. */
    Node node() {
        Node made = node;
        if (made == null) {
            made = nodes.add(Pipe.of(base, stages, new RowSchema(columns, List.of())));
            node = made;
        }
        return made;
    }

    /** Stages over the base of the stream, instead of its own. */
    Node over(List<PipeStage> others, RowSchema target) {
        return nodes.add(Pipe.of(base, others, target));
    }

    /** The stream as a node of a schema that the further stages lead to. */
    Node piped(List<PipeStage> further, RowSchema target) {
        Node whole = node;
        List<PipeStage> longer = new ArrayList<>(whole == null ? stages : List.of());
        longer.addAll(further);
        return nodes.add(Pipe.of(whole == null ? base : whole, longer, target));
    }

    /** The stream remembered by some of its columns; the same for all who ask. */
    Arrangement arrange(List<Integer> key) {
        return arrange(key, -1);
    }

    /** Whether an arrangement by this key is there that says nothing of the order behind it, such as a promised key. */
    boolean isArranged(List<Integer> key) {
        return arrangements.containsKey(List.of(key.size(), key));
    }

    /** The same with the rows of a key in the order of a column first; that of no key, or under 0 for any order. */
    Arrangement arrange(List<Integer> key, int first) {
        List<Integer> order = ordered(key, first);
        return arrangements.computeIfAbsent(
                List.of(key.size(), order),
                wanted -> arrangeNew(key, order, (rows, retention) -> Arrange.of(rows, retention, appendOnly)));
    }

    /** The same of those rows that are not behind those of another arrangement, see {@link Ahead}. */
    Arrangement arrangeAhead(List<Integer> key, int first, Arrangement others) {
        return arrangeNew(
                key,
                ordered(key, first),
                (rows, retention) -> Arrange.of(nodes.add(Ahead.of(rows, others.node())), retention, appendOnly));
    }

    /** The same for a reader of what changes alone: no row is remembered. */
    Arrangement changes(List<Integer> key, int first) {
        return arrangeNew(key, ordered(key, first), (rows, retention) -> Arrange.ofChanges(rows));
    }

    private static List<Integer> ordered(List<Integer> key, int first) {
        List<Integer> order = new ArrayList<>(key);
        if (first >= 0) {
            order.add(first);
        }
        return order;
    }

    private Arrangement arrangeNew(
            List<Integer> key, List<Integer> first, BiFunction<Node, Retention, Node> arrangement) {
        List<Integer> order = new ArrayList<>(first);
        IntStream.range(0, columns.size())
                .filter(column -> !first.contains(column))
                .forEach(order::add);
        int[] places = new int[columns.size()];
        for (int place = 0; place < order.size(); place++) {
            places[order.get(place)] = place;
        }
        List<ColumnType> types = order.stream().map(columns::get).toList();
        RowSchema schema = new RowSchema(types.subList(0, key.size()), types.subList(key.size(), types.size()));
        boolean wholeRow = order.equals(columns(columns.size())) && key.size() == columns.size();
        Node keyed = wholeRow ? node() : piped(List.of(new PipeStage.Project(order)), schema);
        Node exchanged = nodes.exchange(keyed);
        Retention retention = new Retention();
        return new Arrangement(nodes.add(arrangement.apply(exchanged, retention)), places, retention);
    }

    /** Lets the circuit reject steps after which two rows share a key, or one is there twice or less than not. */
    void promiseKey(String table, List<Integer> key) {
        Arrangement checked = arrangeNew(key, key, (rows, retention) -> Arrange.unique(rows, retention, table, key));
        checked.retention().keepForever();
        arrangements.put(List.of(key.size(), key), checked);
    }

    /** The rows that have no NULL in some columns. */
    Stream withoutNulls(List<Integer> of) {
        int[] nullable = of.stream()
                .mapToInt(Integer::intValue)
                .filter(column -> columns.get(column).nullable())
                .toArray();
        return nullable.length == 0 ? this : filters.computeIfAbsent(of, wanted -> filter(new NotNull(nullable)));
    }

    /** The same rows with types that also hold NULL where the other's do. */
    public Stream as(List<ColumnType> wanted) {
        List<ColumnType> types = widened(wanted);
        return types.equals(columns) ? this : with(new PipeStage.Project(columns(columns.size())), types);
    }

    private List<ColumnType> widened(List<ColumnType> other) {
        if (other.size() != columns.size()) {
            throw new IllegalArgumentException("Rows of " + other.size() + " columns with rows of " + columns.size()
                    + "; project both to the same columns");
        }
        List<ColumnType> types = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            ColumnType mine = columns.get(column);
            ColumnType theirs = other.get(column);
            if (!mine.withNullable(true).equals(theirs.withNullable(true))) {
                throw new IllegalArgumentException("Column " + column + " is " + mine + " on one side and " + theirs
                        + " on the other; cast one of them");
            }
            types.add(mine.withNullable(mine.nullable() || theirs.nullable()));
        }
        return types;
    }
}
