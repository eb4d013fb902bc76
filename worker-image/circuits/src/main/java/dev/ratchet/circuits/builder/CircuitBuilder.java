/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.circuit.Exchange;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.Sink;
import dev.ratchet.circuits.circuit.TableSource;
import dev.ratchet.circuits.operator.Constant;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says a program: tables, what is computed from them, views. All streams of a builder belong to its one plan, and what
 * two results have in common is computed once where they are made from the same {@link Stream}. One thread at a time.
 */
public final class CircuitBuilder {

    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Plan.Table> tables = new LinkedHashMap<>();
    private final Map<String, Plan.View> views = new LinkedHashMap<>();

    /** A table of rows without further promises. */
    public Stream table(String name, List<ColumnType> columns) {
        return table(name, columns, TableOptions.NONE);
    }

    /** A table; its name is what input is addressed to. */
    public Stream table(String name, List<ColumnType> columns, TableOptions options) {
        if (tables.containsKey(name)) {
            throw new IllegalArgumentException("Table " + name + " is declared twice; choose another name");
        }
        RowSchema schema = new RowSchema(columns, List.of());
        Node source = add(TableSource.of(name, schema));
        Stream stream = new Stream(this, source, List.of(), columns);
        tables.put(name, new Plan.Table(name, schema, source, options.lateness()));
        if (!options.primaryKey().isEmpty()) {
            stream.promiseKey(name, options.primaryKey());
        }
        return stream;
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
        return new Stream(this, add(Constant.of(batch, rows.toString())), List.of(), columns);
    }

    /** Makes a stream readable under a name. */
    public void view(String name, Stream stream) {
        if (views.containsKey(name)) {
            throw new IllegalArgumentException("View " + name + " is declared twice; choose another name");
        }
        Node sink = add(Sink.of(name, stream.node()));
        views.put(name, new Plan.View(name, sink.schema(), sink));
    }

    /** The program so far, which can not be changed any more. */
    public Plan build() {
        return new Plan(nodes, List.copyOf(tables.values()), List.copyOf(views.values()));
    }

    Node exchange(Node keyed) {
        add(Exchange.send(keyed));
        return add(Exchange.receive(nodes.getLast()));
    }

    Node add(Node node) {
        nodes.add(node);
        return node;
    }
}
