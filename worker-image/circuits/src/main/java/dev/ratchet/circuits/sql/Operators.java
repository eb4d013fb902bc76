/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlMonotonicBinaryOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.util.Optionality;
import org.jspecify.annotations.Nullable;

/** The functions and operators that queries may name: those of the standard, and of other databases those in use. */
final class Operators {

    /** The start of the unit in which a moment lies; the unit is a string, before the moment or behind it. */
    private static final SqlFunction DATE_TRUNC = SqlBasicFunction.create(
            "DATE_TRUNC",
            call -> call.getOperandType(isText(call.getOperandType(0)) ? 1 : 0),
            OperandTypes.or(
                    OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.DATETIME),
                    OperandTypes.family(SqlTypeFamily.DATETIME, SqlTypeFamily.CHARACTER)),
            SqlFunctionCategory.TIMEDATE);

    /** Of sums and differences. */
    private static final int PRECEDENCE = 40;

    /** Calcite's, which also takes one moment from another: two dates are days apart, all else is so by an interval. */
    static final SqlBinaryOperator MINUS = new SqlMonotonicBinaryOperator(
            "-",
            SqlKind.MINUS,
            PRECEDENCE,
            true,
            Operators::difference,
            InferTypes.FIRST_KNOWN,
            OperandTypes.or(
                    OperandTypes.MINUS_OPERATOR,
                    OperandTypes.family(SqlTypeFamily.DATE, SqlTypeFamily.DATE),
                    OperandTypes.family(SqlTypeFamily.TIMESTAMP, SqlTypeFamily.TIMESTAMP),
                    OperandTypes.family(SqlTypeFamily.TIME, SqlTypeFamily.TIME)));

    /** What {@link ArrayQueries} makes of a query without rows: its argument, or an array without items for NULL. */
    static final SqlFunction ITEMS =
            SqlBasicFunction.create("$ITEMS", ReturnTypes.ARG0, OperandTypes.ARRAY, SqlFunctionCategory.SYSTEM);

    /** Calcite's, but a DOUBLE: what lies between two values need not be one of their type. */
    static final SqlAggFunction PERCENTILE_CONT = SqlBasicAggFunction.create(
                    "PERCENTILE_CONT",
                    SqlKind.PERCENTILE_CONT,
                    ReturnTypes.DOUBLE_FORCE_NULLABLE,
                    OperandTypes.UNIT_INTERVAL_NUMERIC_LITERAL)
            .withGroupOrder(Optionality.MANDATORY)
            .withPercentile(true)
            .withAllowsFraming(false);

    /** A pattern of {@code %} and letters, and what it is of; the other way round for PARSE. */
    private static SqlFunction ofPattern(String name, SqlReturnTypeInference result, SqlTypeFamily of) {
        return SqlBasicFunction.create(
                name, result, OperandTypes.family(SqlTypeFamily.CHARACTER, of), SqlFunctionCategory.TIMEDATE);
    }

    /** Two integers. */
    private static SqlFunction ofIntegers(String name, SqlReturnTypeInference result) {
        return SqlBasicFunction.create(
                name,
                result,
                OperandTypes.family(SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER),
                SqlFunctionCategory.NUMERIC);
    }

    /** Values of one type, NULL only where all are. */
    private static SqlFunction ofPresent(String name) {
        return SqlBasicFunction.create(
                name,
                ReturnTypes.LEAST_RESTRICTIVE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
                OperandTypes.SAME_VARIADIC,
                SqlFunctionCategory.SYSTEM);
    }

    /** A text that says a moment, and where it is not written as in SQL its pattern. */
    private static SqlFunction ofWritten(String name, SqlReturnTypeInference result) {
        return SqlBasicFunction.create(
                name,
                result.andThen(SqlTypeTransforms.FORCE_NULLABLE),
                OperandTypes.or(OperandTypes.CHARACTER, OperandTypes.CHARACTER_CHARACTER),
                SqlFunctionCategory.TIMEDATE);
    }

    /** Operators by other names, and those of the standard that they are. */
    static final Map<SqlOperator, SqlOperator> STANDARD = Map.of(
            SqlLibraryOperators.DATEADD, SqlStdOperatorTable.TIMESTAMP_ADD,
            SqlLibraryOperators.DATEDIFF, SqlStdOperatorTable.TIMESTAMP_DIFF,
            SqlLibraryOperators.DATE_ADD, SqlStdOperatorTable.PLUS,
            SqlLibraryOperators.DATE_SUB, SqlStdOperatorTable.MINUS);

    private static final List<SqlOperator> MORE = List.of(
            DATE_TRUNC,
            SqlBasicFunction.create(
                    "BROUND",
                    ReturnTypes.ARG0_NULLABLE,
                    OperandTypes.or(OperandTypes.NUMERIC, OperandTypes.NUMERIC_INTEGER),
                    SqlFunctionCategory.NUMERIC),
            SqlBasicFunction.create(
                    "DATE_FORMAT",
                    ReturnTypes.VARCHAR_NULLABLE,
                    OperandTypes.or(
                            OperandTypes.family(SqlTypeFamily.DATE, SqlTypeFamily.CHARACTER),
                            OperandTypes.family(SqlTypeFamily.TIMESTAMP, SqlTypeFamily.CHARACTER)),
                    SqlFunctionCategory.TIMEDATE),
            SqlBasicFunction.create(
                    "LOCATE",
                    ReturnTypes.INTEGER_NULLABLE,
                    OperandTypes.or(
                            OperandTypes.CHARACTER_CHARACTER,
                            OperandTypes.family(
                                    SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER, SqlTypeFamily.INTEGER)),
                    SqlFunctionCategory.STRING),
            SqlBasicFunction.create(
                    "TO_INT", ReturnTypes.INTEGER_NULLABLE, OperandTypes.BINARY, SqlFunctionCategory.NUMERIC),
            ofPresent("GREATEST_IGNORE_NULLS"),
            ofPresent("LEAST_IGNORE_NULLS"),
            ofWritten("TO_DATE", ReturnTypes.DATE),
            ofWritten("TO_TIMESTAMP", ReturnTypes.TIMESTAMP),
            ofPattern("FORMAT_DATE", ReturnTypes.VARCHAR_NULLABLE, SqlTypeFamily.DATE),
            ofPattern("FORMAT_TIME", ReturnTypes.VARCHAR_NULLABLE, SqlTypeFamily.TIME),
            ofPattern("FORMAT_TIMESTAMP", ReturnTypes.VARCHAR_NULLABLE, SqlTypeFamily.TIMESTAMP),
            ofPattern("PARSE_DATE", ReturnTypes.DATE_NULLABLE, SqlTypeFamily.CHARACTER),
            ofPattern("PARSE_TIME", ReturnTypes.TIME_NULLABLE, SqlTypeFamily.CHARACTER),
            ofPattern("PARSE_TIMESTAMP", ReturnTypes.TIMESTAMP_NULLABLE, SqlTypeFamily.CHARACTER),
            ofIntegers("RIGHTSHIFT", ReturnTypes.ARG0_NULLABLE),
            ofIntegers("SEQUENCE", ReturnTypes.LEAST_RESTRICTIVE.andThen(SqlTypeTransforms.TO_ARRAY_NULLABLE)),
            ITEMS,
            OfItems.ARRAY_EXISTS,
            OfItems.TRANSFORM,
            SqlBasicAggFunction.create(
                    "MEDIAN", SqlKind.OTHER_FUNCTION, ReturnTypes.DOUBLE_FORCE_NULLABLE, OperandTypes.NUMERIC),
            ofPairs("CORR"),
            ofPairs("REGR_AVGX"),
            ofPairs("REGR_AVGY"),
            ofPairs("REGR_SXY"),
            ofPairs("REGR_SLOPE"),
            ofPairs("REGR_INTERCEPT"),
            ofPairs("REGR_R2"),
            SqlLibraryOperators.ACOSH,
            SqlLibraryOperators.ARRAYS_OVERLAP,
            SqlLibraryOperators.ARRAY_AGG,
            SqlLibraryOperators.ARRAY_APPEND,
            SqlLibraryOperators.ARRAY_COMPACT,
            SqlLibraryOperators.ARRAY_CONCAT,
            SqlLibraryOperators.ARRAY_CONTAINS,
            SqlLibraryOperators.ARRAY_DISTINCT,
            SqlLibraryOperators.ARRAY_EXCEPT,
            SqlLibraryOperators.ARRAY_INSERT,
            SqlLibraryOperators.ARRAY_INTERSECT,
            SqlLibraryOperators.ARRAY_JOIN,
            SqlLibraryOperators.ARRAY_LENGTH,
            SqlLibraryOperators.ARRAY_MAX,
            SqlLibraryOperators.ARRAY_MIN,
            SqlLibraryOperators.ARRAY_POSITION,
            SqlLibraryOperators.ARRAY_PREPEND,
            SqlLibraryOperators.ARRAY_REMOVE,
            SqlLibraryOperators.ARRAY_REPEAT,
            SqlLibraryOperators.ARRAY_REVERSE,
            SqlLibraryOperators.ARRAY_SIZE,
            SqlLibraryOperators.ARRAY_TO_STRING,
            SqlLibraryOperators.ARRAY_UNION,
            SqlLibraryOperators.ASINH,
            SqlLibraryOperators.ATANH,
            SqlLibraryOperators.BOOL_AND,
            SqlLibraryOperators.BOOL_OR,
            SqlLibraryOperators.CHR,
            SqlLibraryOperators.CONCAT_FUNCTION,
            SqlLibraryOperators.CONCAT_WS,
            SqlLibraryOperators.COSH,
            SqlLibraryOperators.COTH,
            SqlLibraryOperators.COUNTIF,
            SqlLibraryOperators.CSC,
            SqlLibraryOperators.CSCH,
            SqlLibraryOperators.DATEADD,
            SqlLibraryOperators.DATEDIFF,
            SqlLibraryOperators.DATE_ADD,
            SqlLibraryOperators.DATE_SUB,
            SqlLibraryOperators.DAYNAME,
            SqlLibraryOperators.DECODE,
            SqlLibraryOperators.ENDS_WITH,
            SqlLibraryOperators.FACTORIAL,
            SqlLibraryOperators.FROM_BASE64,
            SqlLibraryOperators.FROM_HEX,
            SqlLibraryOperators.GREATEST,
            SqlLibraryOperators.IF,
            SqlLibraryOperators.IFNULL,
            SqlLibraryOperators.ILIKE,
            SqlLibraryOperators.INFIX_CAST,
            SqlLibraryOperators.INSTR,
            SqlLibraryOperators.IS_INF,
            SqlLibraryOperators.IS_NAN,
            SqlLibraryOperators.JSON_LENGTH,
            SqlLibraryOperators.JSON_TYPE,
            SqlLibraryOperators.LEAST,
            SqlLibraryOperators.LEFT,
            SqlLibraryOperators.LEN,
            SqlLibraryOperators.LENGTH,
            SqlLibraryOperators.LEVENSHTEIN,
            SqlLibraryOperators.LOGICAL_AND,
            SqlLibraryOperators.LOGICAL_OR,
            SqlLibraryOperators.LOG2,
            SqlLibraryOperators.LOG_POSTGRES,
            SqlLibraryOperators.LPAD,
            SqlLibraryOperators.LTRIM,
            SqlLibraryOperators.MAP_CONTAINS_KEY,
            SqlLibraryOperators.MAP_KEYS,
            SqlLibraryOperators.MAP_VALUES,
            SqlLibraryOperators.MAX_BY,
            SqlLibraryOperators.MD5,
            SqlLibraryOperators.MIN_BY,
            SqlLibraryOperators.MONTHNAME,
            SqlLibraryOperators.NOT_ILIKE,
            SqlLibraryOperators.NOT_RLIKE,
            SqlLibraryOperators.NULL_SAFE_EQUAL,
            SqlLibraryOperators.NVL,
            SqlLibraryOperators.NVL2,
            SqlLibraryOperators.POW,
            SqlLibraryOperators.REGEXP_EXTRACT,
            SqlLibraryOperators.REGEXP_LIKE,
            SqlLibraryOperators.REGEXP_REPLACE_3,
            SqlLibraryOperators.REPEAT,
            SqlLibraryOperators.REVERSE,
            SqlLibraryOperators.RIGHT,
            SqlLibraryOperators.RLIKE,
            SqlLibraryOperators.RPAD,
            SqlLibraryOperators.RTRIM,
            SqlLibraryOperators.SAFE_CAST,
            SqlLibraryOperators.SEC,
            SqlLibraryOperators.SECH,
            SqlLibraryOperators.SHA1,
            SqlLibraryOperators.SHA256,
            SqlLibraryOperators.SHA512,
            SqlLibraryOperators.SINH,
            SqlLibraryOperators.SORT_ARRAY,
            SqlLibraryOperators.SPACE,
            SqlLibraryOperators.SPLIT,
            SqlLibraryOperators.SPLIT_PART,
            SqlLibraryOperators.STARTS_WITH,
            SqlLibraryOperators.STRING_AGG,
            SqlLibraryOperators.STRPOS,
            SqlLibraryOperators.SUBSTR_POSTGRESQL,
            SqlLibraryOperators.TANH,
            SqlLibraryOperators.TIMESTAMP_MICROS,
            SqlLibraryOperators.TIMESTAMP_MILLIS,
            SqlLibraryOperators.TIMESTAMP_SECONDS,
            SqlLibraryOperators.TIMESTAMP_TRUNC,
            SqlLibraryOperators.TIME_TRUNC,
            SqlLibraryOperators.TO_BASE64,
            SqlLibraryOperators.TO_HEX,
            SqlLibraryOperators.TRANSLATE3,
            SqlLibraryOperators.TRY_CAST,
            SqlLibraryOperators.UNIX_MICROS,
            SqlLibraryOperators.UNIX_MILLIS,
            SqlLibraryOperators.UNIX_SECONDS);

    private static SqlAggFunction ofPairs(String name) {
        return SqlBasicAggFunction.create(
                name, SqlKind.OTHER_FUNCTION, ReturnTypes.DOUBLE_FORCE_NULLABLE, OperandTypes.NUMERIC_NUMERIC);
    }

    private static RelDataType difference(SqlOperatorBinding call) {
        RelDataType left = call.getOperandType(0);
        RelDataType right = call.getOperandType(1);
        if (!SqlTypeUtil.isDatetime(left) || !SqlTypeUtil.isDatetime(right)) {
            return ReturnTypes.NULLABLE_SUM.inferReturnType(call);
        }
        boolean ofDates = SqlTypeUtil.isDate(left) && SqlTypeUtil.isDate(right);
        RelDataTypeFactory types = call.getTypeFactory();
        RelDataType type = ofDates
                ? types.createSqlType(SqlTypeName.INTEGER)
                : types.createSqlIntervalType(
                        new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, SqlParserPos.ZERO));
        return types.createTypeWithNullability(type, left.isNullable() || right.isNullable());
    }

    private static boolean isText(RelDataType type) {
        return SqlTypeFamily.CHARACTER.contains(type);
    }

    static final SqlOperatorTable TABLE =
            SqlOperatorTables.chain(SqlOperatorTables.of(MINUS), new WithoutUser(), SqlOperatorTables.of(MORE));

    /** The standard's operators but for the function USER, which nobody needs and which hides columns of that name. */
    private static final class WithoutUser implements SqlOperatorTable {

        @Override
        public void lookupOperatorOverloads(
                SqlIdentifier name,
                @Nullable SqlFunctionCategory category,
                SqlSyntax syntax,
                List<SqlOperator> operators,
                SqlNameMatcher matcher) {
            SqlStdOperatorTable.instance().lookupOperatorOverloads(name, category, syntax, operators, matcher);
            operators.remove(SqlStdOperatorTable.USER);
        }

        @Override
        public List<SqlOperator> getOperatorList() {
            return SqlStdOperatorTable.instance().getOperatorList();
        }
    }

    private Operators() {}
}
