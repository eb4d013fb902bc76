/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows that are there from the first step on. */
public final class Constant extends Operator {

    private final Batch rows;
    private boolean due;

    private Constant(Batch rows, WorkerThreadContext context) {
        super(rows.schema(), List.of());
        List<Batch> slices = context.ranges().ranges().stream().map(rows::slice).toList();
        this.rows = BatchMerge.merge(rows.schema(), slices);
    }

    /**
     * Gives rows in the first step.
     *
     * @param values of the rows, as objects of {@link ObjectValues}
     */
    public static Node of(Batch rows, List<? extends List<? extends @Nullable Object>> values) {
        return new Node(
                        "constant",
                        description(values),
                        List.of(),
                        rows.schema(),
                        (context, inputs) -> new Constant(rows, context))
                .shownAs(() -> text(rows));
    }

    /** The same in every process: of bytes what they are, not where they lie, and of a map no order of the JDK's. */
    private static String description(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case byte[] bytes -> "X'" + HexFormat.of().formatHex(bytes) + "'";
            case List<?> items -> items.stream().map(Constant::description).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> description(entry.getKey()) + "=" + description(entry.getValue()))
                        .sorted()
                        .collect(Collectors.joining(", ", "{", "}"));
            default -> value.toString();
        };
    }

    private static String text(Batch rows) {
        List<ColumnType> columns = rows.schema().columns();
        List<String> shown = new ArrayList<>();
        for (BatchCursor row = rows.cursor(); row.valid(); row.next()) {
            List<String> values = new ArrayList<>();
            for (int column = 0; column < columns.size(); column++) {
                values.add(ShownSql.constant(columns.get(column), ObjectValues.read(columns.get(column), row, column)));
            }
            String times = row.weight() == 1 ? "" : " times " + row.weight();
            shown.add("(" + String.join(", ", values) + ")" + times);
        }
        return shown.isEmpty() ? "no rows" : "VALUES " + ShownSql.items(shown);
    }

    @Override
    protected void start() {
        due = true;
    }

    @Override
    protected boolean wanted() {
        return due && !rows.isEmpty();
    }

    @Override
    protected void evaluate() {
        emit(rows);
        due = false;
    }
}
