/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Branch;
import dev.ratchet.circuits.expression.Expression.Case;
import dev.ratchet.circuits.expression.Expression.IsNull;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlJsonConstructorNullClause;
import org.apache.calcite.sql.fun.SqlJsonArrayAggAggFunction;
import org.apache.calcite.sql.fun.SqlJsonObjectAggAggFunction;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates of SQL as those of the operators, for groups and windows alike: over the columns of the input and others
 * that are computed for them, which {@link #columns} has behind those. One use by one thread.
 */
final class AggregateCalls {

    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR).orNull();

    /**
     * A call as the plan has it.
     *
     * @param arguments columns of the input
     * @param filter column of the condition, or {@link AggregateCall#NO_COLUMN}
     * @param place in the program; of line 0 where the planner made the call
     */
    record Call(
            SqlAggFunction function,
            List<Integer> arguments,
            boolean distinct,
            int filter,
            RelCollation order,
            RelDataType type,
            SqlParserPos place) {

        String name() {
            return function.getName().toUpperCase(Locale.ROOT);
        }

        /** Where the program has the calls that are from there, for people. */
        static List<String> places(List<Call> calls) {
            return calls.stream()
                    .filter(call -> call.place.getLineNum() > 0)
                    .map(call -> call.name() + " at line " + call.place.getLineNum() + ", column "
                            + call.place.getColumnNum())
                    .distinct()
                    .toList();
        }

        ColumnType result() {
            return RexTranslator.type(type);
        }

        UnsupportedSqlException unsupported(String message) {
            return new UnsupportedSqlException(function.getName(), name() + " " + message);
        }
    }

    private final List<Expression> columns;
    private final IntFunction<@Nullable RexNode> definitions;
    private final int own;

    /**
     * @param input what calls may name as columns
     * @param definitions what each was computed as, null where that is not known
     */
    AggregateCalls(List<Expression> input, IntFunction<@Nullable RexNode> definitions) {
        this.definitions = definitions;
        this.columns = new ArrayList<>(input);
        this.own = input.size();
    }

    /** The columns of the input and those computed for calls. */
    List<Expression> columns() {
        return columns;
    }

    boolean isComputing() {
        return columns.size() > own;
    }

    AggregateCall translate(Call call) {
        return switch (call.name()) {
            case "COUNT" -> count(call);
            case "COUNTIF" -> plain(call, AggregateKind.COUNT, AggregateCall.NO_COLUMN, both(call));
            case "LISTAGG", "STRING_AGG" -> listed(call);
            case "JSON_ARRAYAGG_ABSENT_ON_NULL",
                    "JSON_ARRAYAGG_NULL_ON_NULL",
                    "JSON_OBJECTAGG_ABSENT_ON_NULL",
                    "JSON_OBJECTAGG_NULL_ON_NULL" -> json(call);
            case "ARG_MAX", "MAX_BY" -> first(call, true);
            case "ARG_MIN", "MIN_BY" -> first(call, false);
            case "MEDIAN" ->
                percentile(call, AggregateKind.PERCENTILE_CONT, call.arguments().get(0), "0.5", List.of());
            case "PERCENTILE_CONT" -> percentile(call, AggregateKind.PERCENTILE_CONT);
            case "PERCENTILE_DISC" -> percentile(call, AggregateKind.PERCENTILE_DISC);
            default -> {
                AggregateKind kind = kind(call);
                if (kind.isOfPairs()) {
                    yield ofPairs(call, kind);
                }
                if (call.arguments().size() != 1) {
                    throw call.unsupported("of several columns; make a ROW of them");
                }
                yield plain(call, kind, call.arguments().get(0), call.filter());
            }
        };
    }

    private AggregateKind kind(Call call) {
        AggregateKind kind =
                switch (call.name()) {
                    case "SUM", "$SUM0" -> AggregateKind.SUM;
                    case "MIN", "ANY_VALUE" -> AggregateKind.MIN;
                    case "VARIANCE" -> AggregateKind.VAR_SAMP;
                    case "STDDEV" -> AggregateKind.STDDEV_SAMP;
                    case "BOOL_AND", "LOGICAL_AND" -> AggregateKind.EVERY;
                    case "BOOL_OR", "LOGICAL_OR" -> AggregateKind.SOME;
                    case "AVG",
                            "MAX",
                            "VAR_POP",
                            "VAR_SAMP",
                            "STDDEV_POP",
                            "STDDEV_SAMP",
                            "EVERY",
                            "SOME",
                            "SINGLE_VALUE",
                            "ARRAY_AGG",
                            "MODE",
                            "BIT_AND",
                            "BIT_OR",
                            "BIT_XOR",
                            "COVAR_POP",
                            "COVAR_SAMP",
                            "CORR",
                            "REGR_COUNT",
                            "REGR_AVGX",
                            "REGR_AVGY",
                            "REGR_SXX",
                            "REGR_SYY",
                            "REGR_SXY",
                            "REGR_SLOPE",
                            "REGR_INTERCEPT",
                            "REGR_R2" -> AggregateKind.valueOf(call.name());
                    default -> throw call.unsupported("is not among the aggregates here; docs/functions.md lists them");
                };
        boolean ofBits = kind == AggregateKind.BIT_AND || kind == AggregateKind.BIT_OR || kind == AggregateKind.BIT_XOR;
        if (ofBits && !Arithmetic.isInteger(typeOf(call.arguments().get(0)).kind())) {
            throw call.unsupported("of " + typeOf(call.arguments().get(0)) + "; only integers have bits here");
        }
        return kind;
    }

    private ColumnType typeOf(int column) {
        return columns.get(column).type();
    }

    private int computed(Expression column) {
        int known = columns.indexOf(column);
        if (known >= 0) {
            return known;
        }
        columns.add(column);
        return columns.size() - 1;
    }

    private static AggregateCall plain(Call call, AggregateKind kind, int argument, int filter) {
        boolean isOrdered = kind == AggregateKind.ARRAY_AGG;
        return new AggregateCall(
                kind,
                argument,
                AggregateCall.NO_COLUMN,
                call.distinct(),
                filter,
                isOrdered ? order(call.order()) : List.of(),
                "",
                call.result());
    }

    /** COUNT of several columns counts the rows in which none is NULL, DISTINCT those that differ. */
    private AggregateCall count(Call call) {
        List<Integer> arguments = call.arguments();
        if (arguments.size() < 2) {
            int argument = arguments.isEmpty() ? AggregateCall.NO_COLUMN : arguments.get(0);
            return plain(call, AggregateKind.COUNT, argument, call.filter());
        }
        List<Expression> parts = arguments.stream().map(columns::get).toList();
        List<ColumnType.Field> fields = new ArrayList<>();
        for (Expression part : parts) {
            fields.add(new ColumnType.Field("c" + fields.size(), part.type().orNull()));
        }
        ColumnType row = ColumnType.struct(fields).orNull();
        List<Branch> anyNull = parts.stream()
                .map(part -> new Branch(new IsNull(part), new Literal(row, null)))
                .toList();
        int whole = computed(new Case(anyNull, new Expression.Nested(parts, row), row));
        return plain(call, AggregateKind.COUNT, whole, call.filter());
    }

    /** The condition of COUNTIF, and that of its FILTER. */
    private int both(Call call) {
        int condition = call.arguments().get(0);
        if (call.distinct()) {
            throw call.unsupported("DISTINCT; count what differs by COUNT(DISTINCT …) FILTER (WHERE …)");
        }
        return call.filter() < 0
                ? condition
                : computed(new Expression.And(List.of(columns.get(condition), columns.get(call.filter()))));
    }

    private AggregateCall ofPairs(Call call, AggregateKind kind) {
        if (call.distinct()) {
            throw call.unsupported("DISTINCT; select the distinct pairs in a subquery");
        }
        if (call.arguments().size() < 2) {
            throw call.unsupported("needs two columns");
        }
        AggregateCall pairs = AggregateCall.ofPairs(
                kind, call.arguments().get(0), call.arguments().get(1), call.result());
        return call.filter() < 0 ? pairs : pairs.where(call.filter());
    }

    private AggregateCall listed(Call call) {
        String separator = "";
        if (call.arguments().size() > 1) {
            RexNode given = definitions.apply(call.arguments().get(1));
            String text = given instanceof RexLiteral literal ? RexLiteral.stringValue(literal) : null;
            if (text == null) {
                throw call.unsupported("needs a constant separator");
            }
            separator = text;
        }
        int argument = call.arguments().get(0);
        int text = typeOf(argument).kind() == TypeKind.VARCHAR
                ? argument
                : computed(Casts.to(columns.get(argument), TEXT));
        return ordered(call, AggregateKind.LISTAGG, text, order(call.order()), separator);
    }

    private static AggregateCall ordered(
            Call call, AggregateKind kind, int argument, List<SortColumn> order, String constant) {
        return new AggregateCall(
                kind,
                argument,
                AggregateCall.NO_COLUMN,
                call.distinct(),
                call.filter(),
                order,
                constant,
                call.result());
    }

    /** The members of the array or object as a list; {@link #finish} puts what is around them. */
    private AggregateCall json(Call call) {
        SqlJsonConstructorNullClause nulls = call.function() instanceof SqlJsonObjectAggAggFunction object
                ? object.getNullClause()
                : ((SqlJsonArrayAggAggFunction) call.function()).getNullClause();
        List<Expression> parts = call.arguments().stream().map(columns::get).toList();
        List<Boolean> json = call.arguments().stream()
                .map(definitions::apply)
                .map(JsonCalls::isJson)
                .toList();
        int member = computed(JsonCalls.member(parts, json, nulls == SqlJsonConstructorNullClause.ABSENT_ON_NULL));
        return ordered(call, AggregateKind.LISTAGG, member, order(call.order()), ",");
    }

    /** What becomes of a result of the operator. */
    static Expression finish(Call call, Expression result) {
        boolean isArray = call.name().startsWith("JSON_ARRAYAGG");
        if (!isArray && !call.name().startsWith("JSON_OBJECTAGG")) {
            return result;
        }
        return StandardFunctions.concatenate(
                List.of(new Literal(TEXT, isArray ? "[" : "{"), result, new Literal(TEXT, isArray ? "]" : "}")), TEXT);
    }

    private static AggregateCall first(Call call, boolean largest) {
        int by = call.arguments().get(1);
        SortColumn sort = largest ? SortColumn.descending(by) : SortColumn.ascending(by);
        return ordered(call, AggregateKind.FIRST, call.arguments().get(0), List.of(sort), "");
    }

    private AggregateCall percentile(Call call, AggregateKind kind) {
        RexNode given = definitions.apply(call.arguments().get(0));
        BigDecimal share = given instanceof RexLiteral literal ? literal.getValueAs(BigDecimal.class) : null;
        if (share == null || call.order().getFieldCollations().size() != 1) {
            throw call.unsupported("needs a constant from 0 to 1 and WITHIN GROUP (ORDER BY one column)");
        }
        RelFieldCollation sort = call.order().getFieldCollations().get(0);
        List<SortColumn> order = sort.getDirection().isDescending() ? order(call.order()) : List.of();
        return percentile(call, kind, sort.getFieldIndex(), share.toPlainString(), order);
    }

    private AggregateCall percentile(
            Call call, AggregateKind kind, int argument, String share, List<SortColumn> order) {
        boolean isNumber = Arithmetic.isNumber(typeOf(argument).kind());
        if (kind == AggregateKind.PERCENTILE_CONT && !isNumber) {
            throw call.unsupported("of " + typeOf(argument)
                    + ", between whose values there is no other; use PERCENTILE_DISC, which takes one of them");
        }
        return ordered(call, kind, argument, order, share);
    }

    static List<SortColumn> order(RelCollation collation) {
        return collation.getFieldCollations().stream()
                .map(AggregateCalls::order)
                .toList();
    }

    private static SortColumn order(RelFieldCollation field) {
        boolean descending = field.getDirection().isDescending();
        boolean nullsFirst =
                switch (field.nullDirection) {
                    case FIRST -> true;
                    case LAST -> false;
                    default -> descending;
                };
        return new SortColumn(field.getFieldIndex(), descending, nullsFirst);
    }
}
