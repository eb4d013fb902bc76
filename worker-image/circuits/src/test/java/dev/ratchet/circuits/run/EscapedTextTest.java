/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines whose strings have escapes are the rows that the JSON library makes of them, or are left to it. */
class EscapedTextTest {

    private static final SqlProgram PROGRAM = SqlProgram.compile(
            "CREATE TABLE t (a BIGINT, b VARCHAR(12), d DATE, \"\u00e9\" VARCHAR); CREATE VIEW v AS SELECT * FROM t;");
    private static final List<ColumnType> TYPES =
            List.copyOf(PROGRAM.tables().getFirst().types());
    private static final String[] NAMES = {"a", "\\u0061", "b", "B", "\\u0062", "d", "\\u00e9", "\\u00C9", "c", "\\b"};
    private static final String[] WRONG = {"\\", "\\x", "\\u12", "\\u12g4", "\\U0041", "\\u", "\u00e9", "\u0001", "\""};
    private static final String[] ESCAPES = {"\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"};

    private final PlainLine plain = new PlainLine();

    private static String randomRow(Random random) {
        List<String> fields = new ArrayList<>();
        int count = random.nextInt(4);
        for (int field = 0; field < count; field++) {
            fields.add('"' + NAMES[random.nextInt(NAMES.length)] + "\":" + randomValue(random));
        }
        String row = '{' + String.join(",", fields) + '}';
        return random.nextInt(20) > 0 ? row : row.substring(0, random.nextInt(row.length()));
    }

    private static String randomValue(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> Integer.toString(random.nextInt());
            case 1 -> "null";
            case 2 -> "\"2024-0\\u0032-29\"";
            default -> randomString(random);
        };
    }

    private static String randomString(Random random) {
        StringBuilder string = new StringBuilder("\"");
        int count = random.nextInt(6);
        for (int piece = 0; piece < count; piece++) {
            switch (random.nextInt(5)) {
                case 0 -> string.append((char) (' ' + random.nextInt(95)));
                case 1 -> string.append(ESCAPES[random.nextInt(ESCAPES.length)]);
                case 2 -> appendUnit(string, random, random.nextInt(0x800));
                case 3 -> {
                    char[] units = Character.toChars(random.nextInt(Character.MAX_CODE_POINT + 1));
                    for (char unit : units) {
                        appendUnit(string, random, unit);
                    }
                }
                default -> string.append(random.nextInt(4) > 0 ? "x" : WRONG[random.nextInt(WRONG.length)]);
            }
        }
        return string.append('"').toString();
    }

    private static void appendUnit(StringBuilder string, Random random, int unit) {
        string.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", unit));
    }

    /** What the library makes of a row: its values, or what is wrong. */
    private static String byLibrary(String row) {
        RowBuffer values = new RowBuffer(TYPES.size());
        try {
            new TextRowReader(PROGRAM.tables().getFirst(), values, weight -> {}).add(JsonValues.parse(row), 1);
            return shown(values);
        } catch (IOException | IllegalArgumentException | ArithmeticException e) {
            return "refused: " + e.getMessage();
        }
    }

    private static String shown(RowBuffer values) {
        List<Object> all = new ArrayList<>();
        for (int column = 0; column < TYPES.size(); column++) {
            all.add(String.valueOf(ObjectValues.read(TYPES.get(column), values, column)));
        }
        return all.toString();
    }

    /** Nothing where it is declined. */
    private Optional<String> byPlain(String row) {
        byte[] bytes = ("##" + row + '#').getBytes(StandardCharsets.UTF_8);
        RowBuffer values = new RowBuffer(TYPES.size());
        TextRowReader rows = new TextRowReader(PROGRAM.tables().getFirst(), values, weight -> {});
        return plain.bare(bytes, 2, bytes.length - 3, rows) ? Optional.of(shown(values)) : Optional.empty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void rowsAreThoseOfTheLibrary(long seed) {
        Random random = new Random(seed);
        int accepted = 0;
        int escaped = 0;
        for (int i = 0; i < 20_000; i++) {
            String row = randomRow(random);
            String expected = byLibrary(row);
            Optional<String> read = byPlain(row);
            assertThat(read.orElse(expected)).as("%s, seed %d", row, seed).isEqualTo(expected);
            accepted += expected.startsWith("refused") ? 0 : 1;
            escaped += read.isPresent() && row.contains("\\") ? 1 : 0;
        }
        assertThat(accepted).as("rows that are right, seed %d", seed).isGreaterThan(4_000);
        assertThat(escaped)
                .as("rows with escapes that are read plainly, of %d, seed %d", accepted, seed)
                .isGreaterThan(2_000);
    }

    @Test
    void eachEscapeIsReadPlainly() {
        assertThat(byPlain("{\"\\u0062\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}"))
                .contains("[null, \"\\/\b\f\n\r\t, null, null]");
        assertThat(byPlain("{\"b\":\"\\u0000\\u007f\\u0080\\u07ff\"}"))
                .contains("[null, \u0000\u007f\u0080\u07ff, null, null]");
        assertThat(byPlain("{\"\\u00e9\":\"\\u0800\\uffff\\ud800\\udc00\\uDBFF\\uDFFF\"}"))
                .contains("[null, null, null, \u0800\uffff\ud800\udc00\udbff\udfff]");
    }

    @Test
    void whatIsWrongIsLeftToTheLibrary() {
        for (String text : List.of(
                "\\",
                "\\x",
                "\\u",
                "\\u123",
                "\\u12g4",
                "\\u+123",
                "\\ud800",
                "\\udc00",
                "\\ud800\\u0041",
                "\\ud800x")) {
            assertThat(byPlain("{\"b\":\"" + text + "\"}")).as(text).isEmpty();
        }
    }
}
