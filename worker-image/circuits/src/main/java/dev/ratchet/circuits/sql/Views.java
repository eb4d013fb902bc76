/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.builder.CircuitBuilder;
import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.sql.Statement.Name;
import dev.ratchet.circuits.type.ColumnType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;

/**
 * The views of a program in its order. While a declared view waits for its query, the views in between may read it, so
 * all of them are computed together, as one recursion, once the last is created.
 */
final class Views {

    private record View(String name, boolean isOutput, RelDataType rowType, RelNode plan) {}

    private final SqlText text;
    private final PlanTranslator plans;
    private final Map<String, Name> open = new LinkedHashMap<>();
    private final Map<String, RelDataType> declared = new LinkedHashMap<>();
    private final List<View> waiting = new ArrayList<>();
    private final List<View> outputs = new ArrayList<>();

    Views(SqlText text, PlanTranslator plans) {
        this.text = text;
        this.plans = plans;
    }

    void declare(Name name, RelDataType rowType) {
        open.put(key(name.text()), name);
        declared.put(key(name.text()), rowType);
    }

    boolean isOpen(String name) {
        return open.containsKey(key(name));
    }

    void create(String name, boolean isOutput, RelDataType rowType, RelNode plan) {
        View view = new View(name, isOutput, rowType, plan);
        open.remove(key(name));
        if (isOutput) {
            outputs.add(view);
        }
        if (declared.isEmpty()) {
            plans.define(name, plans.translate(plan, types(rowType)));
            return;
        }
        waiting.add(view);
        if (open.isEmpty()) {
            throw recursion();
        }
    }

    private UnsupportedSqlException recursion() {
        return new UnsupportedSqlException("", "Views that read each other: " + waiting);
    }

    /** Makes the views readable and says what they are. */
    List<Relation> build(CircuitBuilder builder) {
        for (Name name : open.values()) {
            throw text.error(
                    name.offset(), "The view " + name.text() + " is declared and never created; add CREATE VIEW");
        }
        List<Relation> relations = new ArrayList<>();
        for (View view : outputs) {
            Stream stream = plans.streamOf(view.name());
            builder.view(view.name(), stream);
            List<Relation.Column> columns = new ArrayList<>();
            for (RelDataTypeField field : view.rowType().getFieldList()) {
                columns.add(
                        new Relation.Column(field.getName(), stream.columns().get(field.getIndex())));
            }
            relations.add(new Relation(view.name(), columns, Map.of()));
        }
        return relations;
    }

    private static List<ColumnType> types(RelDataType rowType) {
        return rowType.getFieldList().stream()
                .map(field -> RexTranslator.type(field.getType()))
                .toList();
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
