/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.expression.function.TimeText;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import dev.ratchet.circuits.type.Wide;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of columns as JSON, the counterpart of {@link JsonValues}: what one writes the other reads. Stateless. */
final class JsonText {

    private JsonText() {}

    /** Appends a column of a row. */
    static void append(Utf8Buffer out, ColumnType type, RowView row, int column) {
        if (row.isNull(column)) {
            out.append("null");
            return;
        }
        switch (type.kind()) {
            case BOOLEAN -> out.append(row.longAt(column) != 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> out.append(row.longAt(column));
            case DECIMAL -> out.append(decimal(type, row, column).toPlainString());
            case REAL -> number(out, Float.toString((float) row.doubleAt(column)));
            case DOUBLE -> number(out, Double.toString(row.doubleAt(column)));
            case VARCHAR -> out.quote(row.bytesAt(column), row.offsetAt(column), row.lengthAt(column));
            case VARBINARY -> {
                int from = row.offsetAt(column);
                out.append('"');
                out.append(HexFormat.of().formatHex(row.bytesAt(column), from, from + row.lengthAt(column)));
                out.append('"');
            }
            case DATE, TIME, TIMESTAMP, INTERVAL_MONTHS, INTERVAL_MICROS ->
                out.append('"').append(time(type, row.longAt(column))).append('"');
            case ARRAY, MAP, STRUCT -> nested(out, type, ObjectValues.read(type, row, column));
        }
    }

    private static BigDecimal decimal(ColumnType type, RowView row, int column) {
        return type.storage() == Storage.LONG
                ? BigDecimal.valueOf(row.longAt(column), type.scale())
                : new BigDecimal(Wide.toBigInteger(row.highAt(column), row.longAt(column)), type.scale());
    }

    private static void number(Utf8Buffer out, String text) {
        boolean isNumber = Character.isDigit(text.charAt(text.length() - 1));
        out.append(isNumber ? text : '"' + text + '"');
    }

    private static String time(ColumnType type, long value) {
        return switch (type.kind()) {
            case DATE -> TimeText.date(value);
            case TIME -> TimeText.time(value);
            case TIMESTAMP -> TimeText.timestamp(value);
            case INTERVAL_MONTHS -> TimeText.months(value);
            default -> TimeText.micros(value);
        };
    }

    private static void nested(Utf8Buffer out, ColumnType type, @Nullable Object value) {
        switch (type.kind()) {
            case ARRAY -> {
                String separator = "[";
                for (Object item : (List<?>) present(value)) {
                    out.append(separator);
                    part(out, type.fields().get(0).type(), item);
                    separator = ",";
                }
                out.append(separator.equals("[") ? "[]" : "]");
            }
            case MAP -> {
                out.append('{');
                String separator = "";
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) present(value)).entrySet()) {
                    out.append(separator);
                    key(out, type.fields().get(0).type(), entry.getKey());
                    part(out.append(':'), type.fields().get(1).type(), entry.getValue());
                    separator = ",";
                }
                out.append('}');
            }
            default -> {
                out.append('{');
                List<?> parts = (List<?>) present(value);
                for (int i = 0; i < parts.size(); i++) {
                    out.append(i == 0 ? "" : ",").quote(type.fields().get(i).name());
                    part(out.append(':'), type.fields().get(i).type(), parts.get(i));
                }
                out.append('}');
            }
        }
    }

    private static Object present(@Nullable Object value) {
        if (value == null) {
            throw new IllegalStateException("NULL where a value is");
        }
        return value;
    }

    private static void part(Utf8Buffer out, ColumnType type, @Nullable Object value) {
        RowBuffer row = new RowBuffer(1);
        ObjectValues.write(type.orNull(), value, row, 0);
        append(out, type, row, 0);
    }

    private static void key(Utf8Buffer out, ColumnType type, @Nullable Object key) {
        Utf8Buffer text = new Utf8Buffer();
        part(text, type, key);
        if (type.kind() == TypeKind.VARCHAR || text.byteAt(0) == '"') {
            out.append(text);
        } else {
            out.quote(text.toString());
        }
    }
}
