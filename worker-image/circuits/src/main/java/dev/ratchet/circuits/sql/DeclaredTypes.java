/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.type.ColumnType;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCollectionTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlMapTypeNameSpec;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlRowTypeNameSpec;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Types as they are written, where they ask for more digits than there are: the planner would take fewer in silence.
 */
final class DeclaredTypes extends SqlBasicVisitor<@Nullable Void> {

    private static final Set<String> DECIMALS = Set.of("DECIMAL", "NUMERIC", "DEC");

    /** A type that can not be, and where it stands. */
    record Problem(SqlParserPos place, String message) {}

    private @Nullable Problem problem;

    private DeclaredTypes() {}

    /** The first problem in an expression or query; null where there is none. */
    static @Nullable Problem problemIn(SqlNode node) {
        DeclaredTypes types = new DeclaredTypes();
        node.accept(types);
        return types.problem;
    }

    @Override
    public @Nullable Void visit(SqlDataTypeSpec type) {
        check(type.getTypeNameSpec(), type.getParserPosition());
        return null;
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
        if (problem == null && (precision > ColumnType.PRECISION_MAX || (precision >= 0 && scale > precision))) {
            problem = new Problem(
                    place,
                    "DECIMAL(" + precision + ", " + scale + "); a DECIMAL has up to " + ColumnType.PRECISION_MAX
                            + " digits, and no more behind the point than in all");
        }
    }
}
