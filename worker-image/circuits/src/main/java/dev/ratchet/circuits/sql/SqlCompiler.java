/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.builder.TableOptions;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.instruction.InstructionWriter;
import dev.ratchet.circuits.sql.Statement.CreateTable;
import dev.ratchet.circuits.sql.Statement.CreateView;
import dev.ratchet.circuits.sql.Statement.Name;
import dev.ratchet.circuits.sql.Statement.ViewKind;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** Compiles one program, statement by statement, each seeing those before it. One use by one thread. */
final class SqlCompiler {

    /** The option of tables whose rows are never taken back. */
    private static final String APPEND_ONLY = "append_only";

    /** The option of tables whose rows come in the first step. */
    private static final String CONSTANT = "constant";

    /** The option of tables in which a row takes the place of the one with its key. */
    private static final String UPSERTS = "upserts";

    /** The option of tables that refuse rows with fields that are no columns; whoever parses rows heeds it. */
    private static final String STRICT = "strict";

    private static final int RELATIONS_MAX = 1000;

    private final SqlText text;
    private final InstructionWriter writer;
    private final UserFunctions functions;
    private final QueryPlanner planner;
    private final RexTranslator expressions;
    private final PlanTranslator plans;
    private final Views views;
    private final List<Relation> tables = new ArrayList<>();
    private final ClassLoader classes;
    private final RepeatedKeys repeatedKeys;
    private final StringBuilder explanation = new StringBuilder();
    private final StringBuilder explained = new StringBuilder();

    SqlCompiler(String program, ClassLoader classes, RepeatedKeys repeatedKeys, OutputKeys outputKeys) {
        this(new SqlText(program), classes, repeatedKeys, outputKeys);
    }

    private SqlCompiler(SqlText text, ClassLoader classes, RepeatedKeys repeatedKeys, OutputKeys outputKeys) {
        this.text = text;
        this.classes = classes;
        this.repeatedKeys = repeatedKeys;
        this.writer = new InstructionWriter(classes);
        this.functions = new UserFunctions(classes);
        this.planner = new QueryPlanner(functions);
        this.expressions = new RexTranslator(functions);
        this.plans = new PlanTranslator(writer, expressions);
        this.views = new Views(text, writer, plans, outputKeys);
    }

    SqlProgram compile() {
        List<Statement> statements = StatementReader.read(text);
        if (statements.size() > RELATIONS_MAX) {
            throw text.error(0, "A program of " + statements.size() + " statements; the limit is " + RELATIONS_MAX);
        }
        planner.expect(statements.stream()
                .filter(statement -> statement instanceof CreateTable || statement instanceof CreateView)
                .map(statement -> statement.name().text())
                .toList());
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Explain explain) {
                explained.append(new SqlCompiler(text, classes, repeatedKeys, OutputKeys.NONE)
                        .explain(statements.subList(0, i), explain));
            } else {
                run(statements.get(i));
            }
        }
        List<Relation> outputs = views.build();
        views.requireKeyed();
        return SqlProgram.of(
                writer.plan(),
                new ProgramRecord(
                        ProgramRecord.FORMAT,
                        tables,
                        outputs,
                        writer.instructions(),
                        explanation.toString(),
                        explained.toString(),
                        ""));
    }

    /** The query as if it were a view behind the statements before it. */
    private String explain(List<Statement> before, Statement.Explain explain) {
        before.stream()
                .filter(statement -> !(statement instanceof Statement.Explain))
                .forEach(this::run);
        String name =
                text.text().substring(explain.query().start(), explain.query().end());
        explanation.setLength(0);
        run(new CreateView(new Name(name, explain.name().offset()), ViewKind.OUTPUT, List.of(), null, explain.query()));
        List<Relation> outputs = views.build();
        Plan plan = writer.plan();
        Explanation.nameColumns(plan, tables, outputs);
        Node sink = Objects.requireNonNull(plan.views().get(name)).sink();
        return explanation + "\n" + Explanation.operators(Explanation.above(sink, plan.allNodes())) + "\n";
    }

    private void run(Statement statement) {
        try {
            apply(statement);
        } catch (UnsupportedSqlException e) {
            throw text.error(statement.name().offset(), String.valueOf(e.getMessage()));
        }
    }

    private void apply(Statement statement) {
        switch (statement) {
            case CreateTable table -> createTable(table);
            case CreateView view -> createView(view);
            case Statement.DeclareView view -> declareView(view);
            case Statement.Explain explain -> throw new IllegalArgumentException("EXPLAIN is no part of a circuit");
            case Statement.CreateFunction function ->
                functions.define(
                        text,
                        function,
                        function.parameters().stream()
                                .map(parameter -> planner.type(text, parameter.type()))
                                .toList(),
                        planner.type(text, function.result()));
        }
    }

    private void createTable(CreateTable table) {
        checkNew(table.name());
        RelDataTypeFactory.Builder row = SqlTypes.FACTORY.builder();
        List<Relation.Column> columns = new ArrayList<>();
        List<Integer> key = new ArrayList<>();
        Plan.Lateness lateness = null;
        Set<String> keyNames = new HashSet<>();
        table.key().forEach(name -> keyNames.add(name.text().toLowerCase(Locale.ROOT)));
        Set<String> names = new HashSet<>();
        for (Statement.Column column : table.columns()) {
            String name = column.name().text();
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                throw text.error(
                        column.name().offset(), "A second column " + name + "; names differ in more than case");
            }
            boolean inKey = keyNames.contains(name.toLowerCase(Locale.ROOT));
            RelDataType type = SqlTypes.FACTORY.createTypeWithNullability(
                    planner.type(text, column.type()), !column.notNull() && !inKey);
            ColumnType stored = SqlTypes.columnType(type);
            if (stored == null) {
                throw text.error(
                        column.type().start(),
                        "Rows can not hold " + type + "; " + Remedies.ofType(type.toString(), "in docs/sql.md"));
            }
            if (column.lateness() != null) {
                if (lateness != null) {
                    throw text.error(column.name().offset(), "A second LATENESS; a table has at most one");
                }
                lateness = lateness(column, stored, columns.size());
            }
            row.add(name, type);
            columns.add(new Relation.Column(name, stored, SqlTypes.lengthMax(type)));
        }
        for (Name name : table.key()) {
            key.add(indexOf(columns, name));
        }
        if (columns.isEmpty()) {
            throw text.error(table.name().offset(), "A table without columns");
        }
        planner.define(table.name().text(), row.build());
        Relation relation = new Relation(table.name().text(), columns, table.options());
        tables.add(relation);
        TableOptions options = options(table, key, lateness);
        plans.define(relation.name(), writer.table(relation.name(), relation.types(), options));
    }

    private TableOptions options(CreateTable table, List<Integer> key, Plan.@Nullable Lateness lateness) {
        boolean appendOnly = isGiven(table, APPEND_ONLY);
        boolean constant = isGiven(table, CONSTANT);
        boolean upserts = isGiven(table, UPSERTS);
        isGiven(table, STRICT);
        if (repeatedKeys == RepeatedKeys.UPSERTED && !table.options().containsKey(UPSERTS)) {
            upserts = !key.isEmpty() && lateness == null && !appendOnly && !constant;
        }
        try {
            return new TableOptions(key, lateness, appendOnly, constant, upserts);
        } catch (IllegalArgumentException e) {
            throw text.error(table.name().offset(), String.valueOf(e.getMessage()));
        }
    }

    private boolean isGiven(CreateTable table, String option) {
        String given = table.options().getOrDefault(option, "false");
        if (!given.equals("true") && !given.equals("false")) {
            throw text.error(
                    table.name().offset(), "Option '" + option + "' = '" + given + "'; it is 'true' or 'false'");
        }
        return given.equals("true");
    }

    private int indexOf(List<Relation.Column> columns, Name name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name.text())) {
                return i;
            }
        }
        throw text.error(name.offset(), "There is no column " + name.text() + " to be in the key");
    }

    private Plan.Lateness lateness(Statement.Column column, ColumnType type, int index) {
        Statement.Span span = column.lateness();
        if (span == null) {
            throw new IllegalArgumentException("A column without LATENESS");
        }
        RexNode constant = planner.constant(text, span);
        boolean ofTime = type.kind() == TypeKind.TIMESTAMP;
        if (expressions.translate(constant) instanceof Literal literal
                && literal.value() instanceof Long delay
                && delay >= 0
                && (ofTime || Arithmetic.isInteger(type.kind()))
                && (literal.type().kind() == TypeKind.INTERVAL_MICROS) == ofTime) {
            return new Plan.Lateness(index, delay);
        } else {
            throw text.error(
                    span.start(),
                    "LATENESS of a " + type.kind() + " column; give a TIMESTAMP an interval of days or seconds, such as"
                            + " INTERVAL '1' HOUR, and an integer an integer, neither negative");
        }
    }

    private void declareView(Statement.DeclareView view) {
        checkNotSystem(view.name());
        checkNew(view.name());
        RelDataTypeFactory.Builder row = SqlTypes.FACTORY.builder();
        for (Statement.DeclaredColumn column : view.columns()) {
            RelDataType type = planner.type(text, column.type());
            row.add(column.name().text(), SqlTypes.FACTORY.createTypeWithNullability(type, !column.notNull()));
        }
        RelDataType rowType = row.build();
        planner.define(view.name().text(), rowType);
        views.declare(view.name());
    }

    private void createView(CreateView view) {
        checkNotSystem(view.name());
        boolean declared = views.isOpen(view.name().text());
        if (!declared) {
            checkNew(view.name());
        }
        QueryPlanner.Planned planned = planner.plan(text, view.query());
        List<RelDataTypeField> fields = planned.plan().getRowType().getFieldList();
        if (!view.columns().isEmpty() && view.columns().size() != fields.size()) {
            throw text.error(
                    view.columns().get(0).offset(),
                    view.columns().size() + " names for the " + fields.size() + " columns of the query");
        }
        RelDataType rowType = declared ? planner.rowType(view.name().text()) : rowType(view, planned.names(), fields);
        if (declared && rowType.getFieldCount() != fields.size()) {
            throw text.error(
                    view.name().offset(),
                    "The query has " + fields.size() + " columns where the declaration of the view has "
                            + rowType.getFieldCount());
        }
        if (declared) {
            checkNotNull(view, rowType, planned.plan());
        } else {
            planner.define(view.name().text(), rowType);
        }
        views.create(view, nullable(rowType), planned);
        explanation.append(Explanation.plan(view.name().text(), planned.plan()));
    }

    /** A declared column without NULL is one that the query can not make NULL, where what it reads is as declared. */
    private void checkNotNull(CreateView view, RelDataType declared, RelNode plan) {
        for (RelDataTypeField field : declared.getFieldList()) {
            if (!field.getType().isNullable() && NullColumns.mayBeNull(plan, field.getIndex())) {
                throw text.error(
                        view.query().start(),
                        "Column " + field.getName() + " of view " + view.name().text()
                                + " is declared NOT NULL, but its query may give NULL there; declare it without"
                                + " NOT NULL, or let the query leave NULL out, as by COALESCE or IS NOT NULL");
            }
        }
    }

    /** As views keep rows: whatever is inferred, every computed column may be NULL. */
    private static RelDataType nullable(RelDataType rowType) {
        RelDataTypeFactory.Builder row = SqlTypes.FACTORY.builder();
        rowType.getFieldList()
                .forEach(field ->
                        row.add(field.getName(), SqlTypes.FACTORY.createTypeWithNullability(field.getType(), true)));
        return row.build();
    }

    private RelDataType rowType(CreateView view, List<String> written, List<RelDataTypeField> fields) {
        RelDataTypeFactory.Builder row = SqlTypes.FACTORY.builder();
        Set<String> names = new HashSet<>();
        for (RelDataTypeField field : fields) {
            Name renamed = view.columns().isEmpty() ? null : view.columns().get(field.getIndex());
            String name = renamed == null ? written.get(field.getIndex()) : renamed.text();
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                throw text.error(
                        renamed == null ? view.query().start() : renamed.offset(),
                        "Two columns of the view are called " + name + "; rename one with AS");
            }
            row.add(name, SqlTypes.FACTORY.createTypeWithNullability(field.getType(), true));
        }
        return row.build();
    }

    private void checkNotSystem(Name name) {
        if (name.text().equalsIgnoreCase(StepErrors.VIEW)) {
            throw text.error(
                    name.offset(),
                    "The view " + name.text() + " is the system's, of what can not be computed; choose another name");
        }
    }

    private void checkNew(Name name) {
        if (planner.knows(name.text())) {
            throw text.error(
                    name.offset(), "There is a table or view " + name.text() + " already; choose another name");
        }
    }
}
