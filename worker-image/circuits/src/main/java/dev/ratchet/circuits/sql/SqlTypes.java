/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.math.RoundingMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Types of SQL expressions against types of columns. Sums never overflow in practice: of integers BIGINT, of BIGINT
 * DECIMAL(38, 0), of decimals 38 digits; averages and deviations are DOUBLE; times have microseconds.
 */
final class SqlTypes extends RelDataTypeSystemImpl {

    /** The one factory: types of different factories are never equal. */
    static final RelDataTypeFactory FACTORY = new SqlTypeFactoryImpl(new SqlTypes()) {
        @Override
        public Charset getDefaultCharset() {
            return StandardCharsets.UTF_8;
        }
    };

    private static final int MICROSECOND_DIGITS = 6;

    private SqlTypes() {}

    @Override
    public int getMaxPrecision(SqlTypeName name) {
        return switch (name) {
            case DECIMAL -> ColumnType.PRECISION_MAX;
            case TIME, TIMESTAMP -> MICROSECOND_DIGITS;
            default -> super.getMaxPrecision(name);
        };
    }

    @Override
    public int getMaxScale(SqlTypeName name) {
        return name == SqlTypeName.DECIMAL ? ColumnType.PRECISION_MAX : super.getMaxScale(name);
    }

    @Override
    public int getDefaultPrecision(SqlTypeName name) {
        return switch (name) {
            case DECIMAL -> ColumnType.LONG_PRECISION_MAX;
            case TIME, TIMESTAMP -> MICROSECOND_DIGITS;
            default -> super.getDefaultPrecision(name);
        };
    }

    @Override
    public RoundingMode roundingMode() {
        return RoundingMode.HALF_UP;
    }

    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }

    @Override
    public RelDataType deriveSumType(RelDataTypeFactory types, RelDataType argument) {
        RelDataType sum =
                switch (argument.getSqlTypeName()) {
                    case TINYINT, SMALLINT, INTEGER -> types.createSqlType(SqlTypeName.BIGINT);
                    case BIGINT -> types.createSqlType(SqlTypeName.DECIMAL, ColumnType.PRECISION_MAX, 0);
                    case DECIMAL ->
                        types.createSqlType(SqlTypeName.DECIMAL, ColumnType.PRECISION_MAX, argument.getScale());
                    case REAL, FLOAT, DOUBLE -> types.createSqlType(SqlTypeName.DOUBLE);
                    default -> argument;
                };
        return types.createTypeWithNullability(sum, argument.isNullable());
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory types, RelDataType argument) {
        return types.createTypeWithNullability(types.createSqlType(SqlTypeName.DOUBLE), argument.isNullable());
    }

    @Override
    public RelDataType deriveCovarType(RelDataTypeFactory types, RelDataType left, RelDataType right) {
        return deriveAvgAggType(types, left);
    }

    /**
     * The column type of an SQL type, or null where rows can not hold it.
     *
     * @return with the nullability of the SQL type
     */
    static @Nullable ColumnType columnType(RelDataType type) {
        ColumnType column =
                switch (type.getSqlTypeName()) {
                    case BOOLEAN -> ColumnType.of(TypeKind.BOOLEAN);
                    case TINYINT -> ColumnType.of(TypeKind.TINYINT);
                    case SMALLINT -> ColumnType.of(TypeKind.SMALLINT);
                    case INTEGER -> ColumnType.of(TypeKind.INTEGER);
                    case BIGINT -> ColumnType.of(TypeKind.BIGINT);
                    case REAL -> ColumnType.of(TypeKind.REAL);
                    case FLOAT, DOUBLE -> ColumnType.of(TypeKind.DOUBLE);
                    case DECIMAL -> ColumnType.decimal(type.getPrecision(), type.getScale());
                    case CHAR, VARCHAR -> ColumnType.of(TypeKind.VARCHAR);
                    case BINARY, VARBINARY -> ColumnType.of(TypeKind.VARBINARY);
                    case DATE -> ColumnType.of(TypeKind.DATE);
                    case TIME -> ColumnType.of(TypeKind.TIME);
                    case TIMESTAMP -> ColumnType.of(TypeKind.TIMESTAMP);
                    case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH -> ColumnType.of(TypeKind.INTERVAL_MONTHS);
                    case INTERVAL_DAY,
                            INTERVAL_DAY_HOUR,
                            INTERVAL_DAY_MINUTE,
                            INTERVAL_DAY_SECOND,
                            INTERVAL_HOUR,
                            INTERVAL_HOUR_MINUTE,
                            INTERVAL_HOUR_SECOND,
                            INTERVAL_MINUTE,
                            INTERVAL_MINUTE_SECOND,
                            INTERVAL_SECOND -> ColumnType.of(TypeKind.INTERVAL_MICROS);
                    case NULL -> ColumnType.of(TypeKind.BOOLEAN);
                    case ARRAY, MULTISET -> array(type.getComponentType());
                    case MAP -> map(type.getKeyType(), type.getValueType());
                    case ROW -> struct(type);
                    default -> null;
                };
        return column == null ? null : column.withNullable(type.isNullable());
    }

    /**
     * A type as it is declared, whose items, values and fields may all be NULL: the parser takes those of rows for NOT
     * NULL unless the row itself can be NULL.
     */
    static RelDataType holdingNulls(RelDataType type) {
        RelDataType element = type.getComponentType();
        RelDataType key = type.getKeyType();
        RelDataType value = type.getValueType();
        if (type.getSqlTypeName() == SqlTypeName.ROW) {
            RelDataTypeFactory.Builder row = FACTORY.builder();
            type.getFieldList().forEach(field -> row.add(field.getName(), nullable(field.getType())));
            return row.build();
        }
        if (type.getSqlTypeName() == SqlTypeName.ARRAY && element != null) {
            return FACTORY.createArrayType(nullable(element), -1);
        }
        boolean isMap = type.getSqlTypeName() == SqlTypeName.MAP && key != null && value != null;
        return isMap ? FACTORY.createMapType(holdingNulls(key), nullable(value)) : type;
    }

    private static RelDataType nullable(RelDataType type) {
        return FACTORY.createTypeWithNullability(holdingNulls(type), true);
    }

    /** How long texts or bytes of a type may be, as far as it says. */
    static int lengthMax(RelDataType type) {
        boolean isLimited =
                SqlTypeFamily.STRING.contains(type) && type.getPrecision() != RelDataType.PRECISION_NOT_SPECIFIED;
        return isLimited ? type.getPrecision() : Relation.Column.ANY_LENGTH;
    }

    private static @Nullable ColumnType array(@Nullable RelDataType element) {
        ColumnType type = element == null ? null : columnType(element);
        return type == null ? null : ColumnType.array(type);
    }

    private static @Nullable ColumnType map(@Nullable RelDataType key, @Nullable RelDataType value) {
        ColumnType keyType = key == null ? null : columnType(key);
        ColumnType valueType = value == null ? null : columnType(value);
        return keyType == null || valueType == null ? null : ColumnType.map(keyType, valueType);
    }

    private static @Nullable ColumnType struct(RelDataType type) {
        List<ColumnType.@Nullable Field> fields = type.getFieldList().stream()
                .map(field -> {
                    ColumnType part = columnType(field.getType());
                    return part == null ? null : new ColumnType.Field(field.getName(), part);
                })
                .toList();
        return fields.contains(null)
                ? null
                : ColumnType.struct(fields.stream().map(f -> f).toList());
    }
}
