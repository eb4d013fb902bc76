/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/**
 * Queries as optimised relational plans, by Calcite. Knows the tables and views by name; a plan reads a view by its
 * name and never holds the view's own plan. Used by one thread.
 */
final class QueryPlanner {

    /** A query as it was checked, for places of errors, and its plan. */
    record Planned(SqlNode query, RelNode plan) {}

    private static final String TYPES = "BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL(p, s),"
            + " VARCHAR, VARBINARY, DATE, TIME, TIMESTAMP, INTERVAL …, t ARRAY, MAP<k, v> and ROW(name t, …)";

    private static final SqlParser.Config PARSER = SqlParser.config()
            .withUnquotedCasing(Casing.UNCHANGED)
            .withQuotedCasing(Casing.UNCHANGED)
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withCaseSensitive(false)
            .withIdentifierMaxLength(256)
            .withConformance(SqlConformanceEnum.LENIENT);

    private final CalciteSchema schema = CalciteSchema.createRootSchema(false, false);
    private final Map<String, RelDataType> relations = new LinkedHashMap<>();
    private final UserFunctions functions;

    QueryPlanner(UserFunctions functions) {
        this.functions = functions;
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
            SqlValidator validator = validator();
            return SqlTypes.FACTORY.createTypeWithNullability(
                    validator.getValidatedNodeType(validator.validate(node)), false);
        } catch (SqlParseException | CalciteContextException e) {
            throw text.error(
                    span.start(),
                    "'" + text.text().substring(span.start(), span.end()) + "' is not a type; types are " + TYPES);
        }
    }

    /** The constant that this text means, such as an interval. */
    RexNode constant(SqlText text, Statement.Span span) {
        try {
            SqlNode node = SqlParser.create(text.inPlace(span.start(), span.end()), PARSER)
                    .parseExpression();
            SqlValidator validator = validator();
            SqlNode checked = validator.validate(node);
            return converter(validator).convertExpression(checked);
        } catch (SqlParseException e) {
            throw parseError(e);
        } catch (CalciteContextException e) {
            throw checkError(e);
        }
    }

    /** Parses, checks, plans and optimises a query. */
    Planned plan(SqlText text, Statement.Span span) {
        try {
            SqlNode parsed = SqlParser.create(text.inPlace(span.start(), span.end()), PARSER)
                    .parseQuery();
            SqlValidator validator = validator();
            SqlNode checked = validator.validate(parsed);
            RelNode plan =
                    converter(validator).convertQuery(checked, false, true).project();
            return new Planned(checked, PlanRules.optimise(plan));
        } catch (SqlParseException e) {
            throw parseError(e);
        } catch (CalciteContextException e) {
            throw checkError(e);
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            // The planner refuses what it has no rule for in many ways; none of them may end the process.
            throw text.error(
                    span.start(),
                    "This query can not be planned (" + oneLine(String.valueOf(e.getMessage()))
                            + "); write it as joins and subqueries in FROM");
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
                place == null ? 0 : place.getLineNum(), place == null ? 0 : place.getColumnNum(), oneLine(head));
    }

    private static SqlException checkError(CalciteContextException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new SqlException(e.getPosLine(), e.getPosColumn(), oneLine(String.valueOf(cause.getMessage())));
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
                        .withDefaultNullCollation(NullCollation.HIGH));
    }

    private CalciteCatalogReader catalog() {
        Properties properties = new Properties();
        properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "false");
        return new CalciteCatalogReader(
                schema, List.of(), SqlTypes.FACTORY, new CalciteConnectionConfigImpl(properties));
    }

    private SqlToRelConverter converter(SqlValidator validator) {
        HepPlanner planner = new HepPlanner(HepProgram.builder().build());
        planner.setExecutor((builder, constants, reduced) -> reduced.addAll(new ArrayList<>(constants)));
        RelOptCluster cluster = RelOptCluster.create(planner, new RexBuilder(SqlTypes.FACTORY));
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
                StandardConvertletTable.INSTANCE,
                config);
    }
}
