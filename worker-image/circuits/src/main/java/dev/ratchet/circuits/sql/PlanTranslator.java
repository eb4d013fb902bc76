/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.RowAccess;
import dev.ratchet.circuits.instruction.Instruction.Combination;
import dev.ratchet.circuits.instruction.InstructionWriter;
import dev.ratchet.circuits.instruction.WrittenStream;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.calcite.plan.RelDigest;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Match;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sample;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Relational plans as streams of a circuit. Equal parts of plans, also of different views, become one stream. Every
 * computed column may be NULL, whatever the plan infers. Used by one thread.
 */
final class PlanTranslator {

    private final InstructionWriter writer;
    private final RexTranslator expressions;
    private final Map<String, WrittenStream> relations = new HashMap<>();
    private final Map<RelDigest, WrittenStream> translated = new HashMap<>();
    private final JoinTranslator joins;
    private final AggregateTranslator aggregates;
    private final WindowTranslator windows;
    private final UnnestTranslator unnests;
    private final TimeWindowTranslator timeWindows;
    private final RecursionTranslator recursions;
    private String query = "";

    PlanTranslator(InstructionWriter writer, RexTranslator expressions) {
        this.writer = writer;
        this.expressions = expressions;
        this.joins = new JoinTranslator(this, expressions);
        this.aggregates = new AggregateTranslator(this, expressions);
        this.windows = new WindowTranslator(this, expressions);
        this.unnests = new UnnestTranslator(this, expressions);
        this.timeWindows = new TimeWindowTranslator(this, expressions);
        this.recursions = new RecursionTranslator(this, writer);
    }

    /** Makes a table or view readable by the plans after it. */
    void define(String name, WrittenStream stream) {
        relations.put(name.toLowerCase(Locale.ROOT), stream);
    }

    WrittenStream streamOf(String name) {
        WrittenStream stream = relations.get(name.toLowerCase(Locale.ROOT));
        if (stream == null) {
            throw new IllegalArgumentException("No table or view " + name + " has been translated");
        }
        return stream;
    }

    /** Says where the program has the query that is translated next; empty where that ends. */
    void at(String place) {
        query = place;
        writer.at(query, "");
    }

    /**
     * Streams that compute calls of the query.
     *
     * @param calls where the query has them; empty where that is not known
     */
    WrittenStream of(List<String> calls, Supplier<WrittenStream> streams) {
        if (calls.isEmpty()) {
            return streams.get();
        }
        writer.at(query, ShownSql.items(calls));
        try {
            return streams.get();
        } finally {
            writer.at(query, "");
        }
    }

    /** The stream of a plan with its columns cast to these types. */
    WrittenStream translate(RelNode plan, List<ColumnType> types) {
        return cast(translate(plan), types);
    }

    /** Runs something whose definitions and streams are not known after it. */
    <T> T within(Supplier<T> body) {
        Map<String, WrittenStream> outerRelations = new HashMap<>(relations);
        Map<RelDigest, WrittenStream> outerStreams = new HashMap<>(translated);
        try {
            return body.get();
        } finally {
            relations.clear();
            relations.putAll(outerRelations);
            translated.clear();
            translated.putAll(outerStreams);
        }
    }

    WrittenStream translate(RelNode plan) {
        RelDigest digest = plan.getRelDigest();
        WrittenStream known = translated.get(digest);
        if (known == null) {
            known = translateNew(plan);
            translated.put(digest, known);
        }
        return known;
    }

    private WrittenStream translateNew(RelNode plan) {
        return switch (plan) {
            case TableScan scan -> scan(Util.last(scan.getTable().getQualifiedName()));
            case Project project -> project(translate(project.getInput()), project.getProjects());
            case Filter filter ->
                windows.firstRows(filter)
                        .orElseGet(() -> translate(filter.getInput()))
                        .filter(expressions.translate(filter.getCondition()));
            case Values values -> values(values);
            case Join join -> joins.translate(join);
            case Aggregate aggregate -> aggregates.translate(aggregate);
            case Union union -> union(union);
            case Intersect intersect -> setOperation(intersect);
            case Minus minus -> setOperation(minus);
            case Sort sort -> windows.limit(sort);
            case Window window -> windows.translate(window);
            case TableFunctionScan scan -> timeWindows.translate(scan);
            case Correlate correlate -> unnests.translate(correlate);
            case Uncollect uncollect -> unnests.translate(uncollect);
            case RepeatUnion union -> recursions.translate(union);
            case Spool spool -> translate(spool.getInput());
            case Sample sample ->
                throw new UnsupportedSqlException(
                        "TABLESAMPLE", "TABLESAMPLE is not the same twice; choose rows by MOD of a column");
            case Match match ->
                throw new UnsupportedSqlException(
                        "MATCH_RECOGNIZE", "MATCH_RECOGNIZE has no operator; compare with LAG or LEAD");
            default ->
                throw new UnsupportedSqlException(
                        "", plan.getRelTypeName() + " has no operator; docs/sql.md says what has");
        };
    }

    private WrittenStream scan(String name) {
        if (!relations.containsKey(name.toLowerCase(Locale.ROOT))) {
            throw new UnsupportedSqlException(
                    "", "The recursion " + name + " reads itself in a subquery; read it in FROM of the second part");
        }
        return streamOf(name);
    }

    private WrittenStream project(WrittenStream input, List<RexNode> nodes) {
        if (nodes.stream().allMatch(RexInputRef.class::isInstance)) {
            return input.project(
                    nodes.stream().map(node -> ((RexInputRef) node).getIndex()).toList());
        }
        return map(input, expressions.translate(nodes));
    }

    /** All columns of a stream, to which others may be added. */
    static List<Expression> columns(WrittenStream stream) {
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < stream.columns().size(); i++) {
            columns.add(new Column(i, stream.columns().get(i)));
        }
        return columns;
    }

    /** One row of expressions for each row. */
    WrittenStream map(WrittenStream input, List<Expression> columns) {
        return input.map(columns, columns.stream().map(Expression::type).toList());
    }

    WrittenStream cast(WrittenStream stream, List<ColumnType> types) {
        if (stream.columns().equals(types)) {
            return stream;
        }
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(Casts.to(new Column(i, stream.columns().get(i)), types.get(i)));
        }
        return stream.map(columns, types);
    }

    private WrittenStream values(Values values) {
        List<ColumnType> types = types(values.getRowType());
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (List<RexLiteral> tuple : values.getTuples()) {
            List<@Nullable Object> row = new ArrayList<>();
            for (int i = 0; i < tuple.size(); i++) {
                row.add(constant(Casts.to(expressions.translate(tuple.get(i)), types.get(i)), types.get(i)));
            }
            rows.add(row);
        }
        return writer.constant(types, rows);
    }

    private static @Nullable Object constant(Expression value, ColumnType type) {
        Expression inner = value;
        while (inner instanceof Expression.Call call) {
            inner = call.arguments().get(0);
        }
        if (!(inner instanceof Literal literal)) {
            throw new UnsupportedSqlException("", "VALUES of more than constants; use a SELECT of expressions");
        }
        Object object = literal.value();
        boolean isStored = object instanceof Long && !Arithmetic.isInteger(type.kind());
        return object instanceof Long number && isStored ? RowAccess.toObject(type, number) : object;
    }

    static List<ColumnType> types(RelDataType rowType) {
        return rowType.getFieldList().stream()
                .map(field -> RexTranslator.type(field.getType()))
                .toList();
    }

    private WrittenStream union(Union union) {
        WrittenStream sum = null;
        for (WrittenStream side : sides(union)) {
            sum = sum == null ? side : sum.combine(Combination.UNION_ALL, side);
        }
        if (sum == null) {
            throw new IllegalArgumentException("A union of nothing");
        }
        return union.all ? sum : sum.distinct();
    }

    private WrittenStream setOperation(SetOp operation) {
        WrittenStream result = null;
        Combination how = operation instanceof Minus
                ? operation.all ? Combination.EXCEPT_ALL : Combination.EXCEPT
                : operation.all ? Combination.INTERSECT_ALL : Combination.INTERSECT;
        for (WrittenStream side : sides(operation)) {
            if (result == null) {
                result = side;
            } else {
                result = result.combine(how, side);
            }
        }
        if (result == null) {
            throw new IllegalArgumentException("A set operation on nothing");
        }
        return result;
    }

    private List<WrittenStream> sides(SetOp operation) {
        List<ColumnType> types = types(operation.getRowType());
        return operation.getInputs().stream()
                .map(input -> translate(input, types))
                .toList();
    }
}
