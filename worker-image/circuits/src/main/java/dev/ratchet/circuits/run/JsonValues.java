/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.ratchet.circuits.expression.function.TimeText;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.NestedCodec;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import dev.ratchet.circuits.type.Wide;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON values as values of columns. Numbers are exact on the way; a value that does not fit its type is an error, never
 * rounded or cut. Stateless.
 */
final class JsonValues {

    private static final int NUMBER_LENGTH_MAX = 1000;
    private static final int TEXT_LENGTH_MAX = 16 << 20;

    /** Digits before the point from which no type can hold a number. */
    private static final int DIGITS_MAX = 400;

    private static final Pattern FOR_PROGRAMMERS =
            Pattern.compile(": enable `\\w+\\.\\w+` to allow| \\(start marker at .*\\)");

    private static final ObjectReader READER = reader();

    private JsonValues() {}

    private static ObjectReader reader() {
        ObjectMapper mapper = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .build();
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNumberLength(NUMBER_LENGTH_MAX)
                        .maxStringLength(TEXT_LENGTH_MAX)
                        .maxNestingDepth(100)
                        .build());
        return mapper.reader();
    }

    /** The JSON value of a text; missing where it is blank. */
    static JsonNode parse(String text) throws JsonProcessingException {
        return READER.readTree(text);
    }

    /** What is wrong with a text, without what the library says to those who program it. */
    static String reason(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        return message.startsWith("Trailing token")
                ? "text behind the end of the object; give one object per line"
                : FOR_PROGRAMMERS.matcher(message).replaceAll("");
    }

    /**
     * Sets a column.
     *
     * @throws IllegalArgumentException or ArithmeticException where the value is none of the type
     */
    static void set(ColumnType type, JsonNode value, RowWriter row, int column) {
        if (value.isNull() || value.isMissingNode()) {
            if (!type.nullable()) {
                throw new IllegalArgumentException("NULL in a column that is NOT NULL; give a value");
            }
            row.setNull(column);
            return;
        }
        switch (type.kind()) {
            case BOOLEAN -> row.setLong(column, bool(value) ? 1 : 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> row.setLong(column, integer(type, value));
            case REAL, DOUBLE -> row.setDouble(column, floating(type, value));
            case DECIMAL -> setDecimal(type, number(type, value), row, column);
            case VARCHAR -> row.setString(column, unicode(text(type, value)));
            case VARBINARY -> {
                byte[] bytes = bytes(text(type, value));
                row.setBytes(column, bytes, 0, bytes.length);
            }
            case DATE, TIME, TIMESTAMP, INTERVAL_MONTHS, INTERVAL_MICROS ->
                row.setLong(column, time(type, text(type, value)));
            case ARRAY, MAP, STRUCT -> {
                byte[] bytes = NestedCodec.encode(type, nested(type, value));
                row.setBytes(column, bytes, 0, bytes.length);
            }
        }
    }

    /** Sets a column from text without JSON's quotes, such as a field of CSV. */
    static void setText(ColumnType type, String text, RowWriter row, int column) throws JsonProcessingException {
        switch (type.kind()) {
            case VARCHAR -> row.setString(column, unicode(text));
            case VARBINARY -> {
                byte[] bytes = bytes(text);
                row.setBytes(column, bytes, 0, bytes.length);
            }
            case DATE, TIME, TIMESTAMP, INTERVAL_MONTHS, INTERVAL_MICROS -> row.setLong(column, time(type, text));
            case BOOLEAN -> set(type, parse(text.strip().toLowerCase(Locale.ROOT)), row, column);
            case DECIMAL, TINYINT, SMALLINT, INTEGER, BIGINT ->
                set(type, DecimalNode.valueOf(decimal(type, text)), row, column);
            case REAL, DOUBLE -> row.setDouble(column, floating(type, text.strip()));
            case ARRAY, MAP, STRUCT -> set(type, parse(text), row, column);
        }
    }

    private static boolean bool(JsonNode value) {
        if (!value.isBoolean()) {
            throw wrong(ColumnType.of(TypeKind.BOOLEAN), value);
        }
        return value.booleanValue();
    }

    private static long integer(ColumnType type, JsonNode value) {
        BigDecimal number = number(type, value);
        if (number.stripTrailingZeros().scale() > 0) {
            throw new ArithmeticException(number + " is not a whole number, as " + name(type) + " needs");
        }
        BigInteger whole = number.toBigInteger();
        int bits =
                switch (type.kind()) {
                    case TINYINT -> 7;
                    case SMALLINT -> 15;
                    case INTEGER -> 31;
                    default -> 63;
                };
        if (whole.bitLength() > bits) {
            throw new ArithmeticException(whole + " does not fit " + name(type));
        }
        return whole.longValue();
    }

    private static BigDecimal number(ColumnType type, JsonNode value) {
        if (!value.isNumber()) {
            throw wrong(type, value);
        }
        return bounded(type, value.decimalValue());
    }

    /** A number with an exponent that would fill the memory is none of any type. */
    private static BigDecimal bounded(ColumnType type, BigDecimal number) {
        if (number.signum() == 0) {
            return BigDecimal.ZERO;
        }
        if ((long) number.precision() - number.scale() > DIGITS_MAX || number.scale() > NUMBER_LENGTH_MAX) {
            throw new ArithmeticException(number + " does not fit " + name(type));
        }
        return number;
    }

    private static BigDecimal decimal(ColumnType type, String text) {
        try {
            return bounded(type, new BigDecimal(text.strip()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a number, as " + name(type) + " needs", e);
        }
    }

    private static double floating(ColumnType type, JsonNode value) {
        if (value.isTextual()) {
            String text = value.textValue();
            if (text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity")) {
                return Double.parseDouble(text);
            }
        }
        if (!value.isNumber()) {
            throw wrong(type, value);
        }
        return finite(type, value.decimalValue().doubleValue(), value.asText());
    }

    private static double floating(ColumnType type, String text) {
        return switch (text) {
            case "NaN", "Infinity", "-Infinity" -> Double.parseDouble(text);
            default -> finite(type, decimal(type, text).doubleValue(), text);
        };
    }

    private static double finite(ColumnType type, double value, String text) {
        double stored = type.kind() == TypeKind.REAL ? (float) value : value;
        if (Double.isInfinite(stored)) {
            throw new ArithmeticException(text + " does not fit " + name(type));
        }
        return stored;
    }

    private static void setDecimal(ColumnType type, BigDecimal value, RowWriter row, int column) {
        BigInteger unscaled = Wide.unscaled(value, type);
        if (type.storage() == Storage.LONG) {
            row.setLong(column, unscaled.longValueExact());
        } else {
            row.setWide(column, Wide.high(unscaled), Wide.low(unscaled));
        }
    }

    private static String text(ColumnType type, JsonNode value) {
        if (!value.isTextual()) {
            throw wrong(type, value);
        }
        return value.textValue();
    }

    /** The text, if all of it can be written as UTF-8: half of a character that needs two can not. */
    private static String unicode(String text) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (Character.isHighSurrogate(c)
                    && at + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(at + 1))) {
                at++;
            } else if (Character.isSurrogate(c)) {
                throw new IllegalArgumentException(
                        String.format("the text has \\u%04x alone, which is half of a character; give both", (int) c));
            }
        }
        return text;
    }

    private static byte[] bytes(String text) {
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not bytes as pairs of hexadecimal digits", e);
        }
    }

    private static long time(ColumnType type, String text) {
        return switch (type.kind()) {
            case DATE -> TimeText.toDate(text);
            case TIME -> TimeText.inputTime(text);
            case TIMESTAMP -> TimeText.inputTimestamp(text);
            case INTERVAL_MONTHS -> TimeText.toMonths(text);
            default -> TimeText.toMicros(text);
        };
    }

    private static Object nested(ColumnType type, JsonNode value) {
        boolean fits = type.kind() == TypeKind.ARRAY ? value.isArray() : value.isObject();
        if (!fits) {
            throw wrong(type, value);
        }
        return switch (type.kind()) {
            case ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                value.forEach(item -> items.add(object(type.fields().get(0).type(), item)));
                yield items;
            }
            case MAP -> map(type, value);
            default -> struct(type, value);
        };
    }

    private static Map<@Nullable Object, @Nullable Object> map(ColumnType type, JsonNode value) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        ColumnType keyType = type.fields().get(0).type();
        value.properties().forEach(entry -> {
            RowBuffer key = new RowBuffer(1);
            try {
                setText(keyType, entry.getKey(), key, 0);
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException("'" + entry.getKey() + "' is not a key of " + name(type), e);
            }
            Object read = ObjectValues.read(keyType, key, 0);
            if (map.containsKey(read)) {
                throw new IllegalArgumentException("the key " + entry.getKey() + " is given twice");
            }
            map.put(read, object(type.fields().get(1).type(), entry.getValue()));
        });
        return map;
    }

    private static List<@Nullable Object> struct(ColumnType type, JsonNode value) {
        Map<String, JsonNode> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        value.properties().forEach(entry -> {
            if (given.put(entry.getKey(), entry.getValue()) != null) {
                throw new IllegalArgumentException("field " + entry.getKey() + " is given twice");
            }
        });
        List<@Nullable Object> parts = new ArrayList<>();
        for (ColumnType.Field field : type.fields()) {
            JsonNode part = given.remove(field.name());
            parts.add(object(field.type(), part == null ? MissingNode.getInstance() : part));
        }
        if (!given.isEmpty()) {
            throw new IllegalArgumentException(
                    name(type) + " has no field '" + given.keySet().iterator().next() + "'");
        }
        return parts;
    }

    private static @Nullable Object object(ColumnType type, JsonNode value) {
        RowBuffer row = new RowBuffer(1);
        set(type, value, row, 0);
        return ObjectValues.read(type, row, 0);
    }

    private static String name(ColumnType type) {
        return type.withNullable(true).toString();
    }

    /** A value as a message shows it. */
    static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() > 100 ? text.substring(0, 100) + "…" : text;
    }

    private static IllegalArgumentException wrong(ColumnType type, JsonNode value) {
        String form =
                switch (type.kind()) {
                    case BOOLEAN -> "true or false";
                    case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> "a number";
                    case REAL, DOUBLE -> "a number, \"NaN\", \"Infinity\" or \"-Infinity\"";
                    case ARRAY -> "an array";
                    case MAP, STRUCT -> "an object";
                    default -> "a string";
                };
        return new IllegalArgumentException(
                shown(value) + " is not a value of type " + name(type) + ", which is " + form);
    }
}
