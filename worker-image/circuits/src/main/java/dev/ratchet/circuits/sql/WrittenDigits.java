/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.type.ColumnType;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCollectionTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMapTypeNameSpec;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlRowTypeNameSpec;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Types and constants as they are written, where they ask for more digits than there are: the planner would take fewer
 * in silence.
 */
final class WrittenDigits extends SqlBasicVisitor<@Nullable Void> {

    private static final Pattern BELOW_MICROS = Pattern.compile("\\.\\d{6}\\d*[1-9]");
    private static final Pattern BELOW_MILLIS = Pattern.compile("\\.\\d{3}\\d*[1-9]");
    private static final Set<String> DECIMALS = Set.of("DECIMAL", "NUMERIC", "DEC");

    /** What can not be, and where it stands. */
    record Problem(SqlParserPos place, String message) {}

    private @Nullable Problem problem;

    private WrittenDigits() {}

    /** The first problem in an expression or query; null where there is none. */
    static @Nullable Problem problemIn(SqlNode node) {
        WrittenDigits types = new WrittenDigits();
        node.accept(types);
        return types.problem;
    }

    @Override
    public @Nullable Void visit(SqlDataTypeSpec type) {
        check(type.getTypeNameSpec(), type.getParserPosition());
        return null;
    }

    @Override
    public @Nullable Void visit(SqlLiteral literal) {
        if (literal instanceof SqlUnknownLiteral unknown && isFiner(BELOW_MICROS, unknown.getValue())) {
            report(literal.getParserPosition(), unknown.tag + " constants have up to 6 digits behind the point");
        }
        if (literal.getValue() instanceof SqlIntervalLiteral.IntervalValue interval
                && isFiner(BELOW_MILLIS, interval.getIntervalLiteral())) {
            report(
                    literal.getParserPosition(),
                    "INTERVAL constants have up to 3 digits behind the point; finer ones are casts, as in"
                            + " CAST('PT0.000001S' AS INTERVAL SECOND)");
        }
        return null;
    }

    private static boolean isFiner(Pattern pattern, Object written) {
        return pattern.matcher(written.toString()).find();
    }

    private void report(SqlParserPos place, String message) {
        if (problem == null) {
            problem = new Problem(place, message);
        }
    }

    private void check(SqlTypeNameSpec spec, SqlParserPos place) {
        switch (spec) {
            case SqlCollectionTypeNameSpec collection -> check(collection.getElementTypeName(), place);
            case SqlMapTypeNameSpec map -> {
                visit(map.getKeyType());
                visit(map.getValType());
            }
            case SqlRowTypeNameSpec row -> row.getFieldTypes().forEach(this::visit);
            case SqlBasicTypeNameSpec basic
            when DECIMALS.contains(basic.getTypeName().getSimple().toUpperCase(Locale.ROOT)) ->
                checkDecimal(basic, place);
            default -> {}
        }
    }

    private void checkDecimal(SqlBasicTypeNameSpec decimal, SqlParserPos place) {
        int precision = decimal.getPrecision();
        int scale = Math.max(0, decimal.getScale());
        if (precision > ColumnType.PRECISION_MAX || (precision >= 0 && scale > precision)) {
            report(
                    place,
                    "DECIMAL(" + precision + ", " + scale + "); a DECIMAL has up to " + ColumnType.PRECISION_MAX
                            + " digits, and no more behind the point than in all");
        }
    }
}
