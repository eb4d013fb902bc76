/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.instruction.InstructionWriter;
import dev.ratchet.circuits.instruction.WrittenStream;
import dev.ratchet.circuits.sql.Statement.CreateView;
import dev.ratchet.circuits.sql.Statement.Name;
import dev.ratchet.circuits.sql.Statement.ViewKind;
import dev.ratchet.circuits.type.ColumnType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * The views of a program in its order. While a declared view waits for its query, the views in between wait as well;
 * once the last is created, the declared ones become one recursion together with those that they read and that read
 * them, and all others are computed from its result.
 */
final class Views {

    /** A view whose query is planned. */
    private record View(CreateView statement, RelDataType rowType, QueryPlanner.Planned query, Set<String> reads) {

        String name() {
            return statement.name().text();
        }

        RelNode plan() {
            return query.plan();
        }
    }

    private final SqlText text;
    private final InstructionWriter writer;
    private final PlanTranslator plans;
    private final OutputKeys outputKeys;
    private final Map<String, Name> open = new LinkedHashMap<>();
    private final Set<String> declared = new HashSet<>();
    private final List<View> waiting = new ArrayList<>();
    private final List<View> outputs = new ArrayList<>();

    Views(SqlText text, InstructionWriter writer, PlanTranslator plans, OutputKeys outputKeys) {
        this.outputKeys = outputKeys;
        this.text = text;
        this.writer = writer;
        this.plans = plans;
    }

    void declare(Name name) {
        open.put(key(name.text()), name);
        declared.add(key(name.text()));
    }

    boolean isOpen(String name) {
        return open.containsKey(key(name));
    }

    void create(CreateView statement, RelDataType rowType, QueryPlanner.Planned query) {
        View view = new View(statement, rowType, query, reads(query.plan()));
        open.remove(key(view.name()));
        Name key = statement.key();
        if (statement.kind() != ViewKind.LOCAL) {
            outputs.add(view);
        } else if (key != null) {
            throw text.error(
                    key.offset(),
                    "Option 'key' of a LOCAL view, whose changes are not put out; leave LOCAL or the option out");
        }
        if (declared.isEmpty()) {
            define(view);
            return;
        }
        waiting.add(view);
        if (open.isEmpty()) {
            closeRecursion();
        }
    }

    private void define(View view) {
        plans.define(view.name(), translate(view));
    }

    private WrittenStream translate(View view) {
        SqlException place = text.error(view.statement().query().start(), "");
        plans.at("query at line " + place.line() + ", column " + place.column());
        try {
            return plans.translate(view.plan(), types(view.rowType()));
        } catch (UnsupportedSqlException e) {
            throw locate(e, view);
        } catch (IllegalArgumentException e) {
            // What the builder of circuits refuses, whose messages say what to do.
            throw text.error(view.statement().query().start(), String.valueOf(e.getMessage()));
        } finally {
            plans.at("");
        }
    }

    /** Finds the first call of the operator in the query. */
    private SqlException locate(UnsupportedSqlException problem, View view) {
        String message = String.valueOf(problem.getMessage());
        SqlParserPos place = problem.operator().isEmpty() ? null : view.query().find(problem.operator());
        return place == null || place.getLineNum() == 0
                ? text.error(view.statement().query().start(), message)
                : new SqlException(place.getLineNum(), place.getColumnNum(), message);
    }

    private static Set<String> reads(RelNode plan) {
        Set<String> names = new HashSet<>();
        new RelVisitor() {
            @Override
            public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
                if (node instanceof TableScan scan) {
                    names.add(key(Util.last(scan.getTable().getQualifiedName())));
                }
                super.visit(node, ordinal, parent);
            }
        }.go(plan);
        return names;
    }

    private void closeRecursion() {
        List<View> variables = waiting.stream()
                .filter(view -> declared.contains(key(view.name())))
                .toList();
        List<View> inside = inside(variables);
        Set<String> recursive = new HashSet<>();
        inside.forEach(view -> recursive.add(key(view.name())));
        for (View view : inside) {
            try {
                Stratification.check(view.plan(), recursive);
            } catch (UnsupportedSqlException e) {
                throw locate(e, view);
            }
        }
        List<WrittenStream> fixpoints = writer.recursive(
                null,
                variables.get(0).name(),
                variables.stream().map(view -> types(view.rowType())).toList(),
                streams -> plans.within(() -> {
                    for (int i = 0; i < streams.size(); i++) {
                        plans.define(variables.get(i).name(), streams.get(i));
                    }
                    return bodies(inside);
                }));
        for (int i = 0; i < fixpoints.size(); i++) {
            plans.define(variables.get(i).name(), fixpoints.get(i));
        }
        waiting.stream().filter(view -> !variables.contains(view)).forEach(this::define);
        waiting.clear();
        declared.clear();
    }

    /** What one iteration derives for the declared views; views between are defined for those behind them. */
    private List<WrittenStream> bodies(List<View> inside) {
        Map<String, WrittenStream> derived = new LinkedHashMap<>();
        for (View view : inside) {
            if (declared.contains(key(view.name()))) {
                derived.put(view.name(), translate(view));
            } else {
                define(view);
            }
        }
        return List.copyOf(derived.values());
    }

    /** The declared views, and those that both read a declared one and are read by one, over any number of others. */
    private List<View> inside(List<View> variables) {
        Map<String, View> byName = new HashMap<>();
        waiting.forEach(view -> byName.put(key(view.name()), view));
        Set<String> readByDeclared = new HashSet<>();
        variables.forEach(view -> collect(view, byName, readByDeclared));
        return waiting.stream()
                .filter(view -> variables.contains(view)
                        || (readByDeclared.contains(key(view.name())) && readsDeclared(view, byName)))
                .toList();
    }

    private static void collect(View view, Map<String, View> byName, Set<String> found) {
        for (String name : view.reads()) {
            View read = byName.get(name);
            if (read != null && found.add(name)) {
                collect(read, byName, found);
            }
        }
    }

    private boolean readsDeclared(View view, Map<String, View> byName) {
        Set<String> found = new HashSet<>();
        collect(view, byName, found);
        return found.stream().anyMatch(declared::contains);
    }

    /** Makes the views readable and says what they are. */
    List<Relation> build() {
        for (Name name : open.values()) {
            throw text.error(
                    name.offset(), "The view " + name.text() + " is declared and never created; add CREATE VIEW");
        }
        List<Relation> relations = new ArrayList<>();
        for (View view : outputs) {
            WrittenStream stream = plans.streamOf(view.name());
            List<Integer> key = key(view);
            writer.view(view.name(), stream, key);
            List<Relation.Column> columns = new ArrayList<>();
            for (RelDataTypeField field : view.rowType().getFieldList()) {
                columns.add(
                        new Relation.Column(field.getName(), stream.columns().get(field.getIndex())));
            }
            relations.add(new Relation(view.name(), columns, Map.of(), key));
        }
        return relations;
    }

    /** Refuses a key that is said of a view which is not put out. */
    void requireKeyed() {
        try {
            outputKeys.requireViews(outputs.stream().map(View::name).toList());
        } catch (IllegalArgumentException missing) {
            throw new SqlException(0, 0, String.valueOf(missing.getMessage()));
        }
    }

    /** The columns by which the changes of a view are put out. */
    private List<Integer> key(View view) {
        List<String> names = view.rowType().getFieldNames();
        Name said = view.statement().key();
        List<Integer> ofProgram = said == null ? List.of() : key(said, names);
        try {
            return outputKeys.of(view.name(), names).orElse(ofProgram);
        } catch (IllegalArgumentException mistake) {
            throw new SqlException(0, 0, String.valueOf(mistake.getMessage()));
        }
    }

    private List<Integer> key(Name said, List<String> names) {
        List<String> key = said.text().isBlank()
                ? List.of()
                : Stream.of(said.text().split(",", -1)).map(String::strip).toList();
        try {
            return OutputKeys.columns("Option 'key'", key, names);
        } catch (IllegalArgumentException mistake) {
            throw text.error(said.offset(), String.valueOf(mistake.getMessage()));
        }
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
