/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.type.SqlTypeCoercionRule;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Queries as optimised relational plans, by Calcite. Knows the tables and views by name; a plan reads a view by its
 * name and never holds the view's own plan. Used by one thread.
 */
final class QueryPlanner {

    /**
     * A query that was planned.
     *
     * @param query as it was checked, for places of errors
     * @param names of its columns as written; the plan's own say nothing
     */
    record Planned(SqlNode query, List<String> names, RelNode plan) {

        /** Where the first call of an operator, or the first join, is; null for none. */
        @Nullable
        SqlParserPos find(String operator) {
            try {
                query.accept(new SqlBasicVisitor<Void>() {
                    @Override
                    public Void visit(SqlCall call) {
                        String name = call.getOperator().getName();
                        if (name.equalsIgnoreCase(operator) || (call instanceof SqlJoin && operator.equals("JOIN"))) {
                            throw new Util.FoundOne(call.getParserPosition());
                        }
                        return super.visit(call);
                    }
                });
            } catch (Util.FoundOne found) {
                return (SqlParserPos) found.getNode();
            }
            return null;
        }
    }

    private static final String TYPES = "BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL(p, s),"
            + " VARCHAR, VARBINARY, DATE, TIME, TIMESTAMP, INTERVAL …, t ARRAY, MAP<k, v> and ROW(name t, …)";

    private static final SqlParser.Config PARSER = SqlParser.config()
            .withUnquotedCasing(Casing.UNCHANGED)
            .withQuotedCasing(Casing.UNCHANGED)
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withCaseSensitive(false)
            .withIdentifierMaxLength(256)
            .withConformance(SqlConformanceEnum.LENIENT)
            .withParserFactory(SqlBabelParserImpl.FACTORY);

    private static final Set<SqlKind> SUMMED = Set.of(
            SqlKind.AVG,
            SqlKind.STDDEV_POP,
            SqlKind.STDDEV_SAMP,
            SqlKind.VAR_POP,
            SqlKind.VAR_SAMP,
            SqlKind.COVAR_POP,
            SqlKind.COVAR_SAMP,
            SqlKind.REGR_SXX,
            SqlKind.REGR_SYY);

    private static final Pattern ENCOUNTERED = Pattern.compile("(?:Encountered|keyword) [\"'](\\w+)");

    private static final SqlAbstractParserImpl.Metadata WORDS =
            SqlParser.create("", PARSER).getMetadata();

    private final CalciteSchema schema = CalciteSchema.createRootSchema(false, false);
    private final Map<String, RelDataType> relations = new LinkedHashMap<>();
    private final UserFunctions functions;
    private final Remedies remedies;

    QueryPlanner(UserFunctions functions) {
        this.functions = functions;
        this.remedies = new Remedies(schema::getTableNames, name -> relations.get(name.toLowerCase(Locale.ROOT)));
    }

    /** What the program creates, for errors of queries that read it too early. */
    void expect(List<String> names) {
        remedies.expect(names);
    }

    boolean knows(String name) {
        return relations.containsKey(name.toLowerCase(Locale.ROOT));
    }

    /** The row type of what {@link #knows} knows. */
    RelDataType rowType(String name) {
        RelDataType rowType = relations.get(name.toLowerCase(Locale.ROOT));
        if (rowType == null) {
            throw new IllegalArgumentException("No table or view " + name);
        }
        return rowType;
    }

    /** Makes a table or view known to the queries after it. */
    void define(String name, RelDataType rowType) {
        relations.put(name.toLowerCase(Locale.ROOT), rowType);
        schema.add(name, new Relation(rowType));
    }

    private static final class Relation extends AbstractTable {

        private final RelDataType rowType;

        Relation(RelDataType rowType) {
            this.rowType = rowType;
        }

        @Override
        public RelDataType getRowType(RelDataTypeFactory types) {
            return rowType;
        }
    }

    /** The type that this text names, as CAST would take it. */
    RelDataType type(SqlText text, Statement.Span span) {
        String prefix = "CAST(NULL AS ";
        String expression = prefix + text.text().substring(span.start(), span.end()) + ")";
        try {
            SqlNode node = SqlParser.create(expression, PARSER).parseExpression();
            WrittenDigits.Problem problem = WrittenDigits.problemIn(node);
            if (problem != null) {
                throw text.error(span.start(), problem.message());
            }
            SqlValidator validator = validator();
            return SqlTypes.holdingNulls(SqlTypes.FACTORY.createTypeWithNullability(
                    validator.getValidatedNodeType(validator.validate(node)), false));
        } catch (SqlParseException | CalciteContextException e) {
            throw text.error(
                    span.start(),
                    "'" + text.text().substring(span.start(), span.end()) + "' is not a type; "
                            + Remedies.ofType(text.text().substring(span.start(), span.end()), TYPES));
        }
    }

    /** The type that CAST would take by a name; null where it is no name of one. */
    static @Nullable SqlDataTypeSpec typeNamed(SqlIdentifier name) {
        try {
            SqlNode cast = SqlParser.create("CAST(NULL AS " + name.getSimple() + ")", PARSER)
                    .parseExpression();
            boolean isKnown = cast instanceof SqlCall call
                    && call.operand(1) instanceof SqlDataTypeSpec type
                    && type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec;
            return isKnown ? ((SqlCall) cast).operand(1) : null;
        } catch (SqlParseException e) {
            return null;
        }
    }

    /** The constant that this text means, such as an interval. */
    RexNode constant(SqlText text, Statement.Span span) {
        SqlNode node;
        try {
            node = SqlParser.create(text.inPlace(span.start(), span.end()), PARSER)
                    .parseExpression();
        } catch (SqlParseException e) {
            throw parseError(e);
        }
        checkDigits(node);
        try {
            SqlValidator validator = validator();
            SqlNode checked = validator.validate(node);
            return converter(validator).convertExpression(checked);
        } catch (CalciteContextException e) {
            throw checkError(e, node);
        }
    }

    /** Parses, checks, plans and optimises a query. */
    Planned plan(SqlText text, Statement.Span span) {
        try {
            String query = GroupByAll.mark(text.inPlace(span.start(), span.end()));
            return plan(SqlParser.create(query, PARSER).parseQuery());
        } catch (SqlParseException e) {
            throw parseError(e);
        } catch (SqlException e) {
            throw e.line() > 0 ? e : text.error(span.start(), String.valueOf(e.getMessage()));
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            // The planner refuses what it has no rule for in many ways; none of them may end the process.
            throw text.error(
                    span.start(),
                    "This query can not be planned (" + oneLine(String.valueOf(e.getMessage()))
                            + "); write it as joins and subqueries in FROM");
        }
    }

    private Planned plan(SqlNode parsed) {
        checkDigits(parsed);
        try {
            SqlValidator validator = validator();
            SqlNode checked = validator.validate(QueryRewrites.apply(parsed));
            RelRoot root = converter(validator).convertQuery(checked, false, true);
            List<String> names = SqlValidatorUtil.uniquify(root.validatedRowType.getFieldNames(), false);
            return new Planned(checked, names, PlanRules.optimise(root.project()));
        } catch (CalciteContextException e) {
            throw checkError(e, parsed);
        }
    }

    private static void checkDigits(SqlNode parsed) {
        WrittenDigits.Problem problem = WrittenDigits.problemIn(parsed);
        if (problem != null) {
            throw new SqlException(problem.place().getLineNum(), problem.place().getColumnNum(), problem.message());
        }
    }

    private static SqlException parseError(SqlParseException e) {
        SqlParserPos place = e.getPos();
        String message = String.valueOf(e.getMessage());
        int list = message.indexOf("\nWas expecting");
        String head = (list < 0 ? message : message.substring(0, list))
                .replaceAll(" at line \\d+, column \\d+\\.?", "")
                .strip();
        return new SqlException(
                place == null ? 0 : place.getLineNum(),
                place == null ? 0 : place.getColumnNum(),
                oneLine(head) + remedy(head));
    }

    /** Where the parser stumbles over a word of its own, it may be meant as a name. */
    private static String remedy(String head) {
        Matcher met = ENCOUNTERED.matcher(head);
        String word = met.find() ? met.group(1) : "";
        if (word.equalsIgnoreCase("AS")) {
            return "; a name behind AS that is a word of SQL is written in quotes, as in AS \"select\"";
        }
        if (word.equalsIgnoreCase("WHERE")) {
            return "; it stands once and behind FROM: of no table, write FROM (VALUES (0)) AS one (x)";
        }
        if (head.startsWith("Non-query expression")) {
            return "; a query begins with SELECT, VALUES or WITH";
        }
        if (head.startsWith("Lexical error") && head.contains("\"`\"")) {
            return "; names are quoted by double quotes, as in \"order\"";
        }
        if (head.startsWith("Encountered \"|")) {
            return "; the bits of either are BITOR(a, b), and texts are put together by ||";
        }
        if (head.startsWith("Encountered \"> >\"")) {
            return "; bits are shifted by RIGHTSHIFT(a, n)";
        }
        return WORDS.isReservedWord(word.toUpperCase(Locale.ROOT))
                ? "; if " + word + " is meant as a name, write \"" + word + "\""
                : "";
    }

    private SqlException checkError(CalciteContextException e, SqlNode query) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String message = oneLine(String.valueOf(cause.getMessage()));
        return new SqlException(e.getPosLine(), e.getPosColumn(), remedies.behind(message, query));
    }

    static String oneLine(String message) {
        return message.replaceAll("\\s*\\R\\s*", " ");
    }

    private SqlValidator validator() {
        return SqlValidatorUtil.newValidator(
                SqlOperatorTables.chain(Operators.TABLE, functions.operators()),
                catalog(),
                SqlTypes.FACTORY,
                SqlValidator.Config.DEFAULT
                        .withConformance(SqlConformanceEnum.LENIENT)
                        .withIdentifierExpansion(true)
                        .withTypeCoercionRules(SqlTypeCoercionRule.lenientInstance())
                        .withDefaultNullCollation(NullCollation.HIGH));
    }

    private CalciteCatalogReader catalog() {
        Properties properties = new Properties();
        properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "false");
        return new CalciteCatalogReader(
                schema, List.of(), SqlTypes.FACTORY, new CalciteConnectionConfigImpl(properties));
    }

    /** Aggregates in windows stay what they are; the usual way makes inexact sums of them. */
    private static @Nullable SqlRexConvertlet convertlet(SqlCall call) {
        if (call.getOperator().equals(Operators.MINUS)) {
            return QueryPlanner::convertMinus;
        }
        SqlOperator standard = Operators.STANDARD.get(call.getOperator());
        if (standard != null) {
            return (context, known) -> convertAs(standard, context, (SqlBasicCall) known);
        }
        if (call.getKind() == SqlKind.OVERLAPS) {
            return QueryPlanner::convertOverlaps;
        }
        boolean staysWhole = call.getOperator() instanceof SqlAggFunction && SUMMED.contains(call.getKind());
        return staysWhole ? QueryPlanner::convertPlainly : StandardConvertletTable.INSTANCE.get(call);
    }

    /** By another name; the call keeps its own, by which it is found again among what the query is grouped by. */
    private static RexNode convertAs(SqlOperator standard, SqlRexContext context, SqlBasicCall call) {
        SqlOperator written = call.getOperator();
        call.setOperator(standard);
        try {
            return Objects.requireNonNull(StandardConvertletTable.INSTANCE.get(call))
                    .convertCall(context, call);
        } finally {
            call.setOperator(written);
        }
    }

    private static RexNode convertPlainly(SqlRexContext context, SqlCall call) {
        List<RexNode> operands =
                call.getOperandList().stream().map(context::convertExpression).toList();
        return context.getRexBuilder().makeCall(call.getOperator(), operands);
    }

    /**
     * Calcite takes the end of a period for part of it; two that begin together overlap even where they are moments.
     */
    private static RexNode convertOverlaps(SqlRexContext context, SqlCall call) {
        RexNode closed = Objects.requireNonNull(StandardConvertletTable.INSTANCE.get(call))
                .convertCall(context, call);
        RexBuilder rex = context.getRexBuilder();
        List<RexNode> open = new ArrayList<>();
        List<RexNode> starts = new ArrayList<>();
        for (RexNode part : RelOptUtil.conjunctions(closed)) {
            List<RexNode> endAndStart = ((RexCall) part).getOperands();
            open.add(rex.makeCall(SqlStdOperatorTable.GREATER_THAN, endAndStart));
            starts.add(endAndStart.get(1));
        }
        return rex.makeCall(
                SqlStdOperatorTable.OR,
                rex.makeCall(SqlStdOperatorTable.EQUALS, starts),
                RexUtil.composeConjunction(rex, open));
    }

    /** Calcite knows how to take all but moments from each other. */
    private static RexNode convertMinus(SqlRexContext context, SqlCall call) {
        boolean ofMoments = call.getOperandList().stream()
                .allMatch(
                        operand -> SqlTypeUtil.isDatetime(context.getValidator().getValidatedNodeType(operand)));
        if (!ofMoments) {
            ((SqlBasicCall) call).setOperator(SqlStdOperatorTable.MINUS);
            return Objects.requireNonNull(StandardConvertletTable.INSTANCE.get(call))
                    .convertCall(context, call);
        }
        List<RexNode> moments =
                call.getOperandList().stream().map(context::convertExpression).toList();
        RelDataType type = context.getValidator().getValidatedNodeType(call);
        return context.getRexBuilder().makeCall(type, SqlStdOperatorTable.MINUS_DATE, moments);
    }

    private SqlToRelConverter converter(SqlValidator validator) {
        HepPlanner planner = new HepPlanner(HepProgram.builder().build());
        planner.setExecutor((builder, constants, reduced) -> reduced.addAll(new ArrayList<>(constants)));
        RelOptCluster cluster = RelOptCluster.create(planner, new RexBuilder(SqlTypes.FACTORY));
        cluster.setMetadataQuerySupplier(BoundedMetadata.ofOneQuery());
        SqlToRelConverter.Config config = SqlToRelConverter.config()
                .withExpand(false)
                .withTrimUnusedFields(true)
                .withInSubQueryThreshold(Integer.MAX_VALUE)
                .withRelBuilderConfigTransform(builder -> builder.withSimplify(false));
        return new SqlToRelConverter(
                (rowType, query, path, view) -> {
                    throw new IllegalStateException("A view is read by its name, not expanded: " + view);
                },
                validator,
                catalog(),
                cluster,
                QueryPlanner::convertlet,
                config);
    }
}
