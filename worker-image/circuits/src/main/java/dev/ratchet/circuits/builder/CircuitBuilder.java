/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.Sink;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.circuit.TableSource;
import dev.ratchet.circuits.operator.Bound;
import dev.ratchet.circuits.operator.Constant;
import dev.ratchet.circuits.operator.Fusion;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Says a program: tables, what is computed from them, views. All streams of a builder belong to its one plan, and what
 * two results have in common is computed once where they are made from the same {@link Stream}. One thread at a time.
 */
public final class CircuitBuilder {

    private final Nodes nodes;
    private final boolean namesAll;
    private final OutputKeys outputKeys;
    private final Map<String, Plan.Table> tables = new LinkedHashMap<>();
    private final Map<String, Plan.View> views = new LinkedHashMap<>();
    private final Map<String, NamedColumns> columns = new LinkedHashMap<>();
    private final Map<String, List<Integer>> keys = new HashMap<>();
    private boolean isBuilt;

    /** Of a program that its author runs. */
    public CircuitBuilder() {
        this(false, OutputKeys.NONE);
    }

    private CircuitBuilder(boolean namesAll, OutputKeys outputKeys) {
        this.namesAll = namesAll;
        this.outputKeys = outputKeys;
        this.nodes = new Nodes(namesAll);
    }

    /**
     * Of a program that others run, and whose rows they send and query: it refuses functions without a name, and tables
     * and views without names of columns.
     *
     * @param outputKeys that are said beside the program
     */
    public static CircuitBuilder ofNamed(OutputKeys outputKeys) {
        return new CircuitBuilder(true, outputKeys);
    }

    /** A table whose rows are sent by the names of its columns. */
    public Stream table(String name, NamedColumns named) {
        return table(name, named, TableOptions.NONE);
    }

    /** The same with promises, whose columns are told by number: {@link NamedColumns#at}. */
    public Stream table(String name, NamedColumns named, TableOptions options) {
        if (name.equalsIgnoreCase(StepErrors.VIEW)) {
            throw new IllegalArgumentException("Table " + name
                    + " has the name of the view of rows that can not be computed; choose another name");
        }
        name(name, named);
        return table(name, named.types(), options);
    }

    /** Makes a stream readable under a name, its columns by their names. */
    public void view(String name, Stream stream, List<String> columnNames) {
        name(name, new NamedColumns(columnNames, stream.columns()));
        viewByKey(name, stream, outputKeys.of(name, columnNames).orElse(List.of()));
    }

    /**
     * The same with a key: wherever the view is put out, changes of rows that are equal in these columns are in one
     * place and in order, within a step those that leave before those that come.
     *
     * @param key names of some of the columns; several rows may share one
     */
    public void view(String name, Stream stream, List<String> columnNames, List<String> key) {
        name(name, new NamedColumns(columnNames, stream.columns()));
        List<Integer> said = OutputKeys.columns("The key of view " + name, key, columnNames);
        viewByKey(name, stream, outputKeys.of(name, columnNames).orElse(said));
    }

    private void name(String relation, NamedColumns named) {
        if (relation.isBlank()) {
            throw new IllegalArgumentException("A table or view with a blank name; give it another");
        }
        if (columns.keySet().stream().anyMatch(relation::equalsIgnoreCase)) {
            throw new IllegalArgumentException(
                    "A second table or view " + relation + "; names differ in more than case");
        }
        columns.put(relation, named);
    }

    /** The names of the columns of tables and views that have such, in their order. */
    public Map<String, NamedColumns> columns() {
        return Collections.unmodifiableMap(columns);
    }

    /** The columns of the key of a view, by their numbers; empty where it has none. */
    public List<Integer> keyOf(String view) {
        return keys.getOrDefault(view, List.of());
    }

    /** A table of rows without further promises. */
    public Stream table(String name, List<ColumnType> columns) {
        return table(name, columns, TableOptions.NONE);
    }

    /** A table; its name is what input is addressed to. */
    public Stream table(String name, List<ColumnType> columns, TableOptions options) {
        if (namesAll && !this.columns.containsKey(name)) {
            throw new IllegalArgumentException("Table " + name + " has no names of columns, by which rows are sent;"
                    + " declare them by table(name, NamedColumns.of(\"column\", type).and(…))");
        }
        if (tables.containsKey(name)) {
            throw new IllegalArgumentException("Table " + name + " is declared twice; choose another name");
        }
        List<ColumnType> given = new ArrayList<>(columns);
        if (options.upserts()) {
            given.add(ColumnType.of(TypeKind.BIGINT));
        }
        RowSchema schema = new RowSchema(given, List.of());
        Node source = nodes.add(TableSource.of(name, schema)).shownAs(() -> name + options.text(columns));
        Stream stream = new Stream(nodes, source, List.of(), given).appendOnly(options.appendOnly());
        if (options.upserts()) {
            stream = Upserts.of(stream, options.primaryKey());
        }
        stream = stream.constant(options.constant());
        Plan.Lateness lateness = options.lateness();
        if (lateness != null) {
            stream = stream.bounded(new Bounds(Map.of(lateness.column(), Bound.of(tables.size()))));
        }
        tables.put(
                name,
                new Plan.Table(
                        name,
                        schema,
                        source,
                        lateness,
                        options.appendOnly(),
                        options.constant(),
                        options.upserts() ? options.primaryKey() : List.of(),
                        new BitSet()));
        if (!options.primaryKey().isEmpty() && !options.upserts()) {
            stream.promiseKey(name, options.primaryKey());
        }
        return stream;
    }

    /**
     * Says where the text of the program has what is built from here on, for errors; the empty text where it does not.
     * No id depends on it.
     */
    public void at(String placeInProgram) {
        nodes.at(placeInProgram);
    }

    /** Rows that are there from the first step on, as objects of {@link ObjectValues}. */
    public Stream constant(List<ColumnType> columns, List<? extends List<? extends @Nullable Object>> rows) {
        BatchBuilder builder = new BatchBuilder(new RowSchema(columns, List.of()));
        for (List<? extends @Nullable Object> row : rows) {
            for (int column = 0; column < columns.size(); column++) {
                ObjectValues.write(columns.get(column), row.get(column), builder, column);
            }
            builder.add(1);
        }
        Batch batch = builder.build();
        return new Stream(nodes, nodes.add(Constant.of(batch, rows)), List.of(), columns);
    }

    /**
     * The least sets that are what is derived from them: each variable begins as nothing and becomes the distinct rows
     * that the body derives, again and again until nothing changes. Kept up to date also under deletions.
     *
     * @param name what errors call the recursion
     * @param variables columns of each variable
     * @param body gives for the variables what is derived in one iteration, in the same order; it may use other streams
     *     of this builder, but no streams of another recursion
     * @return the variables' fixpoints
     */
    public List<Stream> recursive(String name, List<List<ColumnType>> variables, UnaryOperator<List<Stream>> body) {
        OpenRecursion open = open(name, variables);
        return open.close(body.apply(open.variables()));
    }

    /** Begins a recursion as {@link #recursive} does; what it derives is given where it is closed. */
    public OpenRecursion open(String name, List<List<ColumnType>> variables) {
        return new OpenRecursion(name, new Nodes(name, nodes), nodes, variables);
    }

    /**
     * A recursion in the body of another. Its variables become the other's: where both only derive more from more, the
     * least fixpoint of all together is that of the one inside of the other (Bekić).
     *
     * @param outer a stream of the recursion around it
     * @return the variables, for the body of the other
     */
    public List<Stream> recursiveInside(
            Stream outer, String name, List<List<ColumnType>> variables, UnaryOperator<List<Stream>> body) {
        OpenRecursion open = openInside(outer, name, variables);
        return open.close(body.apply(open.variables()));
    }

    /** Begins a recursion as {@link #recursiveInside} does. */
    public OpenRecursion openInside(Stream outer, String name, List<List<ColumnType>> variables) {
        if (!outer.nodes().isRecursion()) {
            throw new IllegalArgumentException("Recursion " + name
                    + " inside of none; use recursive, or give a stream of the recursion around it");
        }
        return new OpenRecursion(name, outer.nodes(), null, variables);
    }

    /** Makes a stream readable under a name. */
    public void view(String name, Stream stream) {
        viewByKey(name, stream, List.of());
    }

    /**
     * The same with a key, see {@link #view(String, Stream, List, List)}.
     *
     * @param key numbers of some of the columns; empty for none
     */
    public void viewByKey(String name, Stream stream, List<Integer> key) {
        if (namesAll && !columns.containsKey(name)) {
            throw new IllegalArgumentException("View " + name + " has no names of columns, by which rows are read;"
                    + " give them by view(name, stream, List.of(\"column\", …))");
        }
        if (views.containsKey(name)) {
            throw new IllegalArgumentException("View " + name + " is declared twice; choose another name");
        }
        if (name.equals(StepErrors.VIEW)) {
            throw new IllegalArgumentException("View " + name
                    + " is the one of rows that can not be computed, which every program has; choose another name");
        }
        if (stream.nodes().isRecursion()) {
            throw new IllegalArgumentException(
                    "View " + name + " of a stream inside a recursion; use what the recursion returns");
        }
        if (!Stream.columns(stream.columns().size()).containsAll(key)) {
            throw new IllegalArgumentException("View " + name + " has the columns " + key
                    + " in its key, and columns 0 to " + (stream.columns().size() - 1));
        }
        Node sink = nodes.add(Sink.of(name, nodes.placed(stream.node(), key)));
        keys.put(name, List.copyOf(key));
        views.put(name, new Plan.View(name, sink.schema(), sink));
    }

    /** The program so far, which can not be changed any more. */
    public Plan build() {
        if (isBuilt) {
            throw new IllegalStateException("The circuit was built already; who runs a program builds what it"
                    + " declares, so leave out build()");
        }
        isBuilt = true;
        Set<Node> wanted = new HashSet<>();
        tables.values().forEach(table -> wanted.add(table.source()));
        views.values().forEach(view -> wanted.add(view.sink()));
        Fusion.dropUnread(nodes.list(), wanted);
        Fusion.fuse(nodes.list());
        Fusion.runInJoins(nodes.list());
        Fusion.holdRecent(nodes.list());
        List<Plan.Table> read = tables.values().stream()
                .map(table -> table.readBy(Fusion.columnsRead(table.source(), nodes.list())))
                .toList();
        return new Plan(nodes.list(), read, List.copyOf(views.values()));
    }
}
