/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The type of a column: kind, digits of a decimal, whether NULL may occur, and the fields of a nested type. Immutable;
 * two equal types have equal bytes by {@link SchemaCodec}.
 *
 * @param precision total digits of a DECIMAL (1..38), else 0
 * @param scale digits after the point of a DECIMAL (0..precision), else 0
 * @param fields of a nested type, else empty; at most {@value #FIELDS_MAX}
 */
public record ColumnType(TypeKind kind, int precision, int scale, boolean nullable, List<Field> fields) {

    public static final int PRECISION_MAX = 38;
    public static final int LONG_PRECISION_MAX = 18;
    public static final int FIELDS_MAX = 1024;

    /** A named part of a nested type; the name is empty in arrays and maps. */
    public record Field(String name, ColumnType type) {}

    public ColumnType {
        fields = List.copyOf(fields);
        boolean decimal = kind == TypeKind.DECIMAL;
        if (decimal
                ? precision < 1 || precision > PRECISION_MAX || scale < 0 || scale > precision
                : precision + scale != 0) {
            throw new IllegalArgumentException("Precision " + precision + " and scale " + scale + " do not fit " + kind
                    + "; a DECIMAL has 1 to " + PRECISION_MAX + " digits and 0 to precision of them after the point");
        }
        int count = fields.size();
        boolean fits =
                switch (kind) {
                    case ARRAY -> count == 1;
                    case MAP -> count == 2;
                    case STRUCT -> count <= FIELDS_MAX;
                    default -> count == 0;
                };
        if (!fits) {
            throw new IllegalArgumentException("A " + kind + " with " + count
                    + " fields; ARRAY has 1, MAP 2, STRUCT up to " + FIELDS_MAX + ", others none");
        }
    }

    /** A type without digits and fields that holds no NULL. */
    public static ColumnType of(TypeKind kind) {
        return new ColumnType(kind, 0, 0, false, List.of());
    }

    public static ColumnType decimal(int precision, int scale) {
        return new ColumnType(TypeKind.DECIMAL, precision, scale, false, List.of());
    }

    public static ColumnType array(ColumnType element) {
        return new ColumnType(TypeKind.ARRAY, 0, 0, false, List.of(new Field("", element)));
    }

    public static ColumnType map(ColumnType key, ColumnType value) {
        return new ColumnType(TypeKind.MAP, 0, 0, false, List.of(new Field("", key), new Field("", value)));
    }

    public static ColumnType struct(List<Field> fields) {
        return new ColumnType(TypeKind.STRUCT, 0, 0, false, fields);
    }

    /** This type with NULL among its values. */
    public ColumnType orNull() {
        return withNullable(true);
    }

    public ColumnType withNullable(boolean wanted) {
        return wanted == nullable ? this : new ColumnType(kind, precision, scale, wanted, fields);
    }

    public Storage storage() {
        return switch (kind) {
            case VARCHAR, VARBINARY, ARRAY, MAP, STRUCT -> Storage.BYTES;
            case DECIMAL -> precision <= LONG_PRECISION_MAX ? Storage.LONG : Storage.WIDE;
            default -> Storage.LONG;
        };
    }

    /** As SQL writes it, with NOT NULL where NULL may not occur. */
    @Override
    public String toString() {
        String text =
                switch (kind) {
                    case DECIMAL -> "DECIMAL(" + precision + ", " + scale + ")";
                    case ARRAY -> fields.get(0).type().withNullable(true) + " ARRAY";
                    case MAP ->
                        fields.stream()
                                .map(field -> field.type().withNullable(true).toString())
                                .collect(Collectors.joining(", ", "MAP<", ">"));
                    case STRUCT ->
                        fields.stream()
                                .map(field -> field.name() + " " + field.type())
                                .collect(Collectors.joining(", ", "ROW(", ")"));
                    default -> kind.name();
                };
        return nullable ? text : text + " NOT NULL";
    }
}
