/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.TypeKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from bytes alone is what the JSON library and the parsers of text read, or is left to them. */
class PlainInputTest {

    private static final List<ColumnType> TYPES = List.of(
            ColumnType.of(TypeKind.BOOLEAN),
            ColumnType.of(TypeKind.TINYINT),
            ColumnType.of(TypeKind.INTEGER),
            ColumnType.of(TypeKind.BIGINT),
            ColumnType.decimal(7, 3),
            ColumnType.decimal(18, 0),
            ColumnType.decimal(30, 10),
            ColumnType.of(TypeKind.REAL),
            ColumnType.of(TypeKind.DOUBLE),
            ColumnType.of(TypeKind.VARCHAR),
            ColumnType.of(TypeKind.VARBINARY),
            ColumnType.of(TypeKind.DATE),
            ColumnType.of(TypeKind.TIME),
            ColumnType.of(TypeKind.TIMESTAMP),
            ColumnType.of(TypeKind.INTERVAL_MICROS));

    private static final String[] LITERALS = {
        "0",
        "-0",
        "00",
        "1.",
        ".5",
        "-",
        "+1",
        "1e2",
        "true",
        "false",
        "nulls",
        "127",
        "128",
        "-128",
        "-129",
        "2147483647",
        "-2147483649",
        "999999999999999999",
        "1000000000000000000",
        "9223372036854775808",
        "1.10",
        "9999.999",
        "10000",
        "0.0001",
        "0.3",
        "-0.0",
        "123456789012345.6",
        "0.000000000000001",
        "16777217",
        "1.0"
    };

    private static final String[] TEXTS = {
        "",
        "a b",
        "2024-02-29",
        "2023-02-29",
        "1969-12-31",
        "2024-13-01",
        "2024-04-31",
        "2024-4-1",
        "23:59:59",
        "24:00:00",
        "12:30",
        "12:30:00.",
        "12:30:00.000001",
        "12:30:00.0000019",
        "2024-02-29 12:30:00.5",
        "2024-02-29T12:30:00",
        "2024-02-29 12:60:00",
        "2024-02-29  12:30:00",
        "00ff"
    };

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void plainValuesAreThoseOfTheLibrary(long seed) throws IOException {
        Random random = new Random(seed);
        int plain = 0;
        for (ColumnType type : TYPES) {
            for (String literal : LITERALS) {
                plain += sameLiteral(type, literal);
            }
            for (int i = 0; i < 300; i++) {
                plain += sameLiteral(type, randomNumber(random));
            }
            for (String text : TEXTS) {
                plain += sameText(type, text);
            }
            for (int i = 0; i < 100; i++) {
                String near = TEXTS[random.nextInt(TEXTS.length)];
                int at = random.nextInt(near.length() + 1);
                plain += sameText(type, near.substring(0, at) + random.nextInt(10) + near.substring(at));
            }
        }
        assertThat(plain).as("values read plainly, seed %d", seed).isGreaterThan(1000);
    }

    private static String randomNumber(Random random) {
        StringBuilder number = new StringBuilder(random.nextBoolean() ? "-" : "");
        int digits = 1 + random.nextInt(20);
        for (int i = 0; i < digits; i++) {
            number.append((char) ('0' + random.nextInt(10)));
        }
        if (random.nextBoolean()) {
            number.insert(number.length() - random.nextInt(digits), '.');
        }
        return number.toString();
    }

    private static int sameLiteral(ColumnType type, String literal) {
        byte[] bytes = ("[" + literal + ",").getBytes(StandardCharsets.UTF_8);
        RowBuffer plain = new RowBuffer(1);
        boolean accepted = PlainValues.setLiteral(type, bytes, 1, bytes.length - 1, plain, 0);
        return same(type, literal, accepted, plain);
    }

    private static int sameText(ColumnType type, String text) {
        byte[] bytes = ('"' + text + '"').getBytes(StandardCharsets.UTF_8);
        RowBuffer plain = new RowBuffer(1);
        boolean accepted = PlainValues.setText(type, bytes, 1, bytes.length - 1, plain, 0);
        return same(type, '"' + text + '"', accepted, plain);
    }

    private static int same(ColumnType type, String json, boolean accepted, RowBuffer plain) {
        if (!accepted) {
            return 0;
        }
        assertThat(ObjectValues.read(type, plain, 0))
                .as("%s as %s", json, type)
                .isNotNull()
                .isEqualTo(read(type, json));
        return 1;
    }

    /** By the library; null where it refuses the value. */
    private static @Nullable Object read(ColumnType type, String json) {
        RowBuffer row = new RowBuffer(1);
        try {
            JsonValues.set(type, JsonValues.parse(json), row, 0);
            return ObjectValues.read(type, row, 0);
        } catch (IOException | IllegalArgumentException | ArithmeticException e) {
            return null;
        }
    }

    @Test
    void linesOfAnyFormGiveTheSameRows() throws IOException {
        String plain = "{\"step\":1,\"table\":\"t\",\"weight\":2,\"row\":{\"a\":5,\"b\":\"x\",\"c\":1.5}}";
        List<String> forms = List.of(
                plain,
                " { \"step\" : 1 , \"table\" : \"T\" , "
                        + "\"weight\" : 2 , \"row\" : { \"a\" : 5 , \"b\" : \"x\" , \"c\" : 1.5 } } ",
                "{\"weight\":2,\"table\":\"t\",\"step\":1,\"row\":{\"c\":1.5,\"B\":\"x\",\"A\":5}}\r",
                "{\"row\":{\"a\":5,\"b\":\"\\u0078\",\"c\":15e-1},\"step\":1,\"table\":\"t\",\"weight\":2}");
        for (String form : forms) {
            assertThat(run(form + "\n", null)).as(form).isEqualTo(run(plain, null));
        }
    }

    @Test
    void aValueGivenTwiceIsRefusedWhereverItStands() {
        for (String row : List.of("\"a\":1,\"a\":2", "\"a\":null,\"a\":2", "\"a\":1,\"b\":\"y\",\"A\":null")) {
            assertThat(catchThrowable(
                            () -> run("{\"step\":1,\"table\":\"t\",\"weight\":1,\"row\":{" + row + "}}", null)))
                    .as(row)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("line 1");
        }
    }

    @Test
    void recordsOfCsvGiveTheSameRowsQuotedOrNot() throws IOException {
        String expected = run(null, "a,b,c\n5,x,1.5\n,,\n7,\"\",-2\n");
        assertThat(run(null, "a,b,c\r\n\"5\",\"x\",\"1.5\"\r\n,,\r\n 7,\"\",-2.0\r\n"))
                .isEqualTo(expected);
        assertThat(run(null, "c,b,a\n1.5,x,5\n,,\n\n-20e-1,\"\",007")).isEqualTo(expected);
        assertThat(run(null, "a,b\n1,\"two\r\nlines, \"\"quoted\"\"\"\n2,é\n"))
                .contains("\"b\":\"two\\r\\nlines, \\\"quoted\\\"\"", "\"b\":\"é\"");
    }

    /** What a run gives of a table with these changes, or of this CSV. */
    private String run(@Nullable String changes, @Nullable String csv) throws IOException {
        Path program = directory.resolve("program.sql");
        Path in = directory.resolve("in");
        Path out = directory.resolve("out.jsonl");
        Files.writeString(
                program, "CREATE TABLE t (a BIGINT, b VARCHAR, c DECIMAL(10, 2)); CREATE VIEW v AS SELECT * FROM t;");
        Files.writeString(in, changes == null ? String.valueOf(csv) : changes);
        Map<String, Path> tables = csv == null ? Map.of() : Map.of("t", in);
        new CircuitRun(
                        new RunOptions(program, csv == null ? in : null, out, 1, null, tables, List.of()),
                        (step, rowsIn, rowsOut) -> {})
                .run();
        return Files.readString(out);
    }
}
