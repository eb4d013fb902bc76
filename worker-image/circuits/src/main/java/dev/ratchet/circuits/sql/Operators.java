/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.List;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;

/** The functions and operators that queries may name: those of the standard, and of other databases those in use. */
final class Operators {

    private static final List<SqlOperator> MORE = List.of(
            SqlLibraryOperators.ARRAY_AGG,
            SqlLibraryOperators.ARRAY_CONTAINS,
            SqlLibraryOperators.ARRAY_LENGTH,
            SqlLibraryOperators.BOOL_AND,
            SqlLibraryOperators.BOOL_OR,
            SqlLibraryOperators.CHR,
            SqlLibraryOperators.CONCAT_FUNCTION,
            SqlLibraryOperators.COUNTIF,
            SqlLibraryOperators.DATE_TRUNC,
            SqlLibraryOperators.ENDS_WITH,
            SqlLibraryOperators.GREATEST,
            SqlLibraryOperators.IFNULL,
            SqlLibraryOperators.ILIKE,
            SqlLibraryOperators.NOT_ILIKE,
            SqlLibraryOperators.INFIX_CAST,
            SqlLibraryOperators.IS_INF,
            SqlLibraryOperators.IS_NAN,
            SqlLibraryOperators.LEAST,
            SqlLibraryOperators.LEFT,
            SqlLibraryOperators.LENGTH,
            SqlLibraryOperators.LPAD,
            SqlLibraryOperators.LTRIM,
            SqlLibraryOperators.MAP_CONTAINS_KEY,
            SqlLibraryOperators.MD5,
            SqlLibraryOperators.NVL,
            SqlLibraryOperators.REGEXP_EXTRACT,
            SqlLibraryOperators.REGEXP_LIKE,
            SqlLibraryOperators.REGEXP_REPLACE_3,
            SqlLibraryOperators.REPEAT,
            SqlLibraryOperators.REVERSE,
            SqlLibraryOperators.RIGHT,
            SqlLibraryOperators.RPAD,
            SqlLibraryOperators.RTRIM,
            SqlLibraryOperators.SPLIT_PART,
            SqlLibraryOperators.STARTS_WITH,
            SqlLibraryOperators.STRING_AGG,
            SqlLibraryOperators.STRPOS,
            SqlLibraryOperators.SUBSTR_POSTGRESQL,
            SqlLibraryOperators.TRY_CAST);

    static final SqlOperatorTable TABLE =
            SqlOperatorTables.chain(SqlStdOperatorTable.instance(), SqlOperatorTables.of(MORE));

    private Operators() {}
}
