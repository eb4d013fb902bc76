/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.sample.UserCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that a run reads and writes, to the letter. */
class CircuitRunTest {

    private static final String PROGRAM = """
            CREATE TABLE orders (Id INT PRIMARY KEY, who VARCHAR(10), amount DECIMAL(10, 2), at TIMESTAMP);
            CREATE VIEW Totals AS
              SELECT who, COUNT(*) AS n, SUM(amount) AS total FROM Orders GROUP BY who;
            CREATE VIEW everything AS SELECT COUNT(*) AS n FROM orders;
            """;

    /** Stands for # in changes. */
    private static final String INSERT = "\"step\":2,\"table\":\"orders\",\"weight\":1,\"row\":";

    @TempDir
    private Path directory;

    private Path program;
    private Path in;
    private Path out;

    @BeforeEach
    void nameFiles() {
        program = directory.resolve("program.sql");
        in = directory.resolve("changes.jsonl");
        out = directory.resolve("results.jsonl");
    }

    private String run(String sql, String changes, int threads) throws IOException {
        Files.writeString(program, sql);
        Files.writeString(in, changes);
        new CircuitRun(options(threads), (step, rowsIn, rowsOut) -> {}).run();
        return Files.readString(out);
    }

    private void runUntilAnError(String sql, String changes, int threads) throws IOException {
        Files.writeString(program, sql);
        Files.writeString(in, changes);
        new CircuitRun(options(threads).withOnError(OnError.STOP), (step, rowsIn, rowsOut) -> {}).run();
    }

    private RunOptions options(int threads) {
        return new RunOptions(program, in, out, threads, null, Map.of(), List.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void writesChangesInCanonicalOrderForAnyNumberOfThreads(int threads) throws IOException {
        String changes = """
                {"step":7,"table":"orders","weight":1,"row":{"id":1,"who":"b","amount":10}}
                {"step":7,"table":"ORDERS","weight":1,"row":{"ID":2,"amount":2.5,"who":null}}
                {"weight":1,"row":{"id":3,"who":"a","amount":0.05},"table":"orders","step":7}

                {"step":1000000000,"table":"orders","weight":-1,"row":{"id":1,"who":"b","amount":10.00}}
                """;
        assertThat(run(PROGRAM, changes, threads)).isEqualTo("""
                        {"step":7,"view":"Totals","weight":1,"row":{"who":null,"n":1,"total":2.50}}
                        {"step":7,"view":"Totals","weight":1,"row":{"who":"a","n":1,"total":0.05}}
                        {"step":7,"view":"Totals","weight":1,"row":{"who":"b","n":1,"total":10.00}}
                        {"step":7,"view":"everything","weight":1,"row":{"n":3}}
                        {"step":1000000000,"view":"Totals","weight":-1,"row":{"who":"b","n":1,"total":10.00}}
                        {"step":1000000000,"view":"everything","weight":1,"row":{"n":2}}
                        {"step":1000000000,"view":"everything","weight":-1,"row":{"n":3}}
                        """);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void writesChangesOfOneKeyTogetherAndWhatLeavesFirst(int threads) throws IOException {
        String sql = "CREATE TABLE t (a INT, b VARCHAR, c INT); CREATE VIEW v WITH ('key' = 'c, b') AS SELECT * FROM t";
        String changes = """
                {"step":1,"table":"t","weight":1,"row":{"a":2,"b":"x","c":1}}
                {"step":1,"table":"t","weight":1,"row":{"a":1,"b":"y","c":1}}
                {"step":2,"table":"t","weight":-1,"row":{"a":2,"b":"x","c":1}}
                {"step":2,"table":"t","weight":-1,"row":{"a":1,"b":"y","c":1}}
                {"step":2,"table":"t","weight":1,"row":{"a":1,"b":"x","c":1}}
                {"step":2,"table":"t","weight":2,"row":{"a":3,"b":"y","c":1}}
                {"step":2,"table":"t","weight":1,"row":{"a":9,"b":"z","c":0}}
                """;
        assertThat(run(sql, changes, threads)).isEqualTo("""
                        {"step":1,"view":"v","weight":1,"row":{"a":2,"b":"x","c":1}}
                        {"step":1,"view":"v","weight":1,"row":{"a":1,"b":"y","c":1}}
                        {"step":2,"view":"v","weight":1,"row":{"a":9,"b":"z","c":0}}
                        {"step":2,"view":"v","weight":-1,"row":{"a":2,"b":"x","c":1}}
                        {"step":2,"view":"v","weight":1,"row":{"a":1,"b":"x","c":1}}
                        {"step":2,"view":"v","weight":-1,"row":{"a":1,"b":"y","c":1}}
                        {"step":2,"view":"v","weight":2,"row":{"a":3,"b":"y","c":1}}
                        """);
    }

    @Test
    void putsConstantRowsIntoTheFirstStepThatIsRun() throws IOException {
        String changes = """
                {"step":5,"table":"t","weight":3,"row":{"a":1}}
                {"step":5,"table":"t","weight":-3,"row":{"a":1}}
                """;
        String sql =
                "CREATE TABLE t (a INT); CREATE VIEW n AS SELECT COUNT(*) AS n FROM t; CREATE VIEW one AS SELECT 1 x";
        assertThat(run(sql, changes, 2)).isEqualTo("""
                        {"step":5,"view":"n","weight":1,"row":{"n":0}}
                        {"step":5,"view":"one","weight":1,"row":{"x":1}}
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "BOOLEAN | true | true",
                "TINYINT | -128 | -128",
                "INTEGER | 1e3 | 1000",
                "BIGINT | 9223372036854775807 | 9223372036854775807",
                "DECIMAL(38, 2) | 123456789012345678901234567890123456.7 | 123456789012345678901234567890123456.70",
                "DOUBLE | 0.1 | 0.1",
                "DOUBLE | 1 | 1.0",
                "DOUBLE | -0.0 | 0.0",
                "DOUBLE | 1e23 | 1.0E23",
                "DOUBLE | \"NaN\" | \"NaN\"",
                "DOUBLE | \"-Infinity\" | \"-Infinity\"",
                "REAL | 0.1 | 0.1",
                "VARCHAR | \"é\\u0001\\\"\\\\\\n\\uD83D\\uDE00\" | \"é\\u0001\\\"\\\\\\n😀\"",
                "VARBINARY | \"00fF\" | \"00ff\"",
                "DATE | \"2024-02-29\" | \"2024-02-29\"",
                "TIME | \"23:59:59.5\" | \"23:59:59.5\"",
                "TIME | \"12:30:00\" | \"12:30:00\"",
                "TIMESTAMP | \"2024-02-29 12:30:00.000001\" | \"2024-02-29 12:30:00.000001\"",
                "TIMESTAMP | \"1969-12-31T23:59:59.9\" | \"1969-12-31 23:59:59.9\"",
                "INTERVAL YEAR TO MONTH | \"P1Y2M\" | \"P1Y2M\"",
                "INTERVAL DAY TO SECOND | \"P1DT0.5S\" | \"PT24H0.5S\"",
                "INT ARRAY | [3,null,1] | [3,null,1]",
                "ROW(x INT, y VARCHAR) ARRAY | [{\"Y\":\"a\"},null] | [{\"x\":null,\"y\":\"a\"},null]",
                "MAP<DATE, ROW(x INT)> | {\"2024-01-02\":{}} | {\"2024-01-02\":{\"x\":null}}",
                "MAP<VARCHAR, INT> | {\"b\":1,\"a\":null} | {\"a\":null,\"b\":1}",
                "ROW(x INT, y VARCHAR) | {\"y\":\"z\"} | {\"x\":null,\"y\":\"z\"}",
                "INT | null | null"
            })
    void writesEachTypeInItsOneForm(String type, String given, String written) throws IOException {
        String sql = "CREATE TABLE t (a " + type + "); CREATE VIEW v AS SELECT a FROM t;";
        String line = "{\"step\":1,\"table\":\"t\",\"weight\":1,\"row\":{\"a\":" + given + "}}";
        assertThat(run(sql, line, 1))
                .isEqualTo("{\"step\":1,\"view\":\"v\",\"weight\":1,\"row\":{\"a\":" + written + "}}\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{#{\"id\":\"x\"}} | line 2: column Id: \"x\" is not",
                "{#{\"id\":1.5}} | line 2: column Id: 1.5 is not a whole",
                "{#{\"id\":null}} | line 2: column Id: NULL",
                "{#{\"id\":3000000000}} | column Id: 3000000000 does not fit",
                "{#{\"id\":2,\"amount\":0.001}} | column amount: 0.001",
                "{#{\"id\":2,\"amount\":1e999999999}} | does not fit DECIMAL",
                "{#{\"id\":2,\"no\":1}} | has no column 'no'",
                "{\"step\":2,\"table\":\"orders\",\"weight\":0,\"row\":{\"id\":2}} | 'weight' is 0",
                "{\"step\":2,\"table\":\"orders\",\"row\":{\"id\":2}} | line 2: 'weight' is missing; give how many",
                "{\"step\":2,\"table\":\"orders\",\"weight\":1.5,\"row\":{}} | line 2: 'weight' is 1.5, no integer of",
                "{\"step\":9223372036854775808,\"table\":\"orders\",\"weight\":1,\"row\":{}} | 'step' is 9223372036854",
                "{\"step\":2,\"table\":\"nope\",\"weight\":1,\"row\":{\"id\":2}} | line 2: there is no table 'nope'",
                "{\"step\":0,\"table\":\"orders\",\"weight\":1,\"row\":{\"id\":2}} | step 0 comes behind step 1",
                "{#{\"id\":2}, | line 2: column",
                "{#{\"id\":2}} {} | line 2: column 55: text behind the end of the object; give one object per line",
                "{#{\"id\":NaN}} | Non-standard token 'NaN'",
                "{\"step\":2,\"table\":\"orders\",\"weight\":-1,\"row\":{\"id\":2}} | Step 2 is refused",
                "{#{\"id\":1}} | Step 2 is refused",
                "{#{\"id\":2,\"who\":\"\\ud83d\"}} | line 2: column who: the text has \\ud83d alone",
                "{#{\"id\":2,\"who\":\"abcdefghijk\"}} | column who: 11 characters where the column is declared with",
                "{#{\"id\":2,\"ID\":3}} | column ID is given twice",
                "{#{\"id\":2,\"at\":\"2024-01-01 10:00:00.1234567\"}} | line 2: column at: '2024-01-01",
                "{#{\"id\":2,\"at\":\"2024-01-01\"}} | '2024-01-01' is not a valid TIMESTAMP, which is written YYYY",
                "{#{\"id\":2,\"at\":\"2024-01-01 10:00\"}} | is written YYYY-MM-DD HH:MM:SS[.f]"
            })
    void refusesBadInputByItsPlaceAndAppliesNothingOfItsStep(String line, String message) {
        String first = "{\"step\":1,\"table\":\"orders\",\"weight\":1,\"row\":{\"id\":1}}\n";
        assertThatThrownBy(() -> run(PROGRAM, first + line.replace("#", INSERT) + "\n", 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
        assertThat(out).hasContent("""
                        {"step":1,"view":"Totals","weight":1,"row":{"who":null,"n":1,"total":null}}
                        {"step":1,"view":"everything","weight":1,"row":{"n":1}}
                        """);
    }

    @Test
    void textIsUtf8WithOrWithoutAMarkAndLinesEndEitherWay() throws IOException {
        String line = "{\"step\":1,\"table\":\"t\",\"weight\":1,\"row\":{\"a\":{\"X\":%s}}}";
        String sql = "\uFEFFCREATE TABLE t (a ROW(x VARCHAR)); CREATE VIEW v AS SELECT t.a.x AS x FROM t;";
        assertThat(run(sql, "\uFEFF" + line.formatted("\"é\"") + "\r\n" + line.formatted("null"), 1))
                .isEqualTo("""
                        {"step":1,"view":"v","weight":1,"row":{"x":null}}
                        {"step":1,"view":"v","weight":1,"row":{"x":"é"}}
                        """);
        Files.write(in, line.formatted("\"\u00ff\"").getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> new CircuitRun(options(1), (step, rowsIn, rowsOut) -> {}).run())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("line 1: the line is not UTF-8 text");
    }

    @Test
    void whatIsReadIsNeverOverwritten() throws IOException {
        Files.writeString(program, PROGRAM);
        out = in;
        assertThatThrownBy(() -> run(PROGRAM, "{}", 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("would overwrite " + in);
        assertThat(in).hasContent("{}");
    }

    @Test
    void columnsMayBeNamedByWordsThatNobodyCalls() throws IOException {
        String sql = "CREATE TABLE t (user VARCHAR, value INT, year INT);"
                + " CREATE VIEW v AS SELECT user, MAX(value) AS month FROM t WHERE t.user <> year GROUP BY user;";
        String line = "{\"step\":1,\"table\":\"t\",\"weight\":1,\"row\":{\"user\":\"7\",\"value\":2,\"year\":5}}\n";
        assertThat(run(sql, line, 1))
                .isEqualTo("{\"step\":1,\"view\":\"v\",\"weight\":1,\"row\":{\"user\":\"7\",\"month\":2}}\n");
    }

    @Test
    void whatIsTakenBackWhereRowsOnlyComeIsNamedByItsLine() {
        String sql =
                "CREATE TABLE t (a INT) WITH ('append_only' = 'true'); CREATE VIEW v AS SELECT MAX(a) AS m FROM t;";
        String line = "{\"step\":1,\"table\":\"t\",\"weight\":%d,\"row\":{\"a\":1}}\n";
        assertThatThrownBy(() -> run(sql, line.formatted(1) + line.formatted(-1), 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("line 2: weight -1 takes a row of table t back, which is append-only");
    }

    @Test
    void aRecursionWithoutEndIsNamedByItsStep() {
        String sql = "CREATE TABLE t (a BIGINT); DECLARE RECURSIVE VIEW r (a BIGINT);"
                + " CREATE VIEW r AS SELECT a FROM t UNION SELECT a + 1 FROM r;";
        assertThatThrownBy(() -> run(sql, "{\"step\":4,\"table\":\"t\",\"weight\":1,\"row\":{\"a\":1}}\n", 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("Step 4 can not be computed: Recursion r did not end after");
    }

    @Test
    void whatAFunctionOfTheProgramThrowsIsNamedByStepFunctionAndRow() {
        String sql = "CREATE FUNCTION half(x BIGINT) RETURNS BIGINT AS '" + UserCode.class.getName()
                + ".half'; CREATE TABLE t (a BIGINT); CREATE VIEW v AS SELECT half(a) AS h FROM t;";
        String line = "{\"step\":%d,\"table\":\"t\",\"weight\":1,\"row\":{\"a\":%d}}\n";
        assertThatThrownBy(() -> runUntilAnError(sql, line.formatted(1, 4) + line.formatted(2, 7), 1))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(
                        "Step 2 can not be computed: The function " + UserCode.class.getName() + ".half threw",
                        "IOException: 7 is odd; it is the row #0 = 7 (view v, ");
        assertThat(out).hasContent("{\"step\":1,\"view\":\"v\",\"weight\":1,\"row\":{\"h\":2}}");
    }

    /** A row with an error, one without, the first taken back, and a sum that does not fit until a row goes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatCanNotBeComputedIsARowOfErrorsUntilItIsTakenBack(int threads) throws IOException {
        String sql = "CREATE TABLE t (a BIGINT, b BIGINT);\nCREATE VIEW v AS SELECT b / a AS q FROM t;"
                + "\nCREATE VIEW one AS SELECT a AS n FROM t WHERE b = (SELECT b FROM t WHERE a = 0);";
        String line = "{\"step\":%d,\"table\":\"t\",\"weight\":%d,\"row\":{\"a\":%d,\"b\":%d}}\n";
        String changes = line.formatted(1, 1, 0, 7)
                + line.formatted(1, 1, 2, 8)
                + line.formatted(2, 1, 0, 8)
                + line.formatted(3, -1, 0, 7);
        String byZero = """
                {"step":%d,"view":"errors","weight":%d,"row":{"operator":15,"place":"query at line 2, column 18",\
                "message":"Division of %d by zero; divide by NULLIF(divisor, 0) for NULL instead",\
                "row":"#0 = 0, #1 = %d"}}
                """;
        String many = """
                {"step":%d,"view":"errors","weight":%d,"row":{"operator":6,"place":"query at line 3, column 20",\
                "message":"A scalar subquery gave more than one row; let it give one, as by an aggregate or a condition\
                 on a key","row":"group of all rows"}}
                """;
        String view = "{\"step\":%d,\"view\":\"%s\",\"weight\":%d,\"row\":{\"%s\":%d}}\n";
        assertThat(run(sql, changes, threads))
                .isEqualTo(view.formatted(1, "v", 1, "q", 4)
                        + view.formatted(1, "one", 1, "n", 0)
                        + byZero.formatted(1, 1, 7, 7)
                        + view.formatted(2, "one", -1, "n", 0)
                        + many.formatted(2, 1)
                        + byZero.formatted(2, 1, 8, 8)
                        + view.formatted(3, "one", 1, "n", 0)
                        + view.formatted(3, "one", 1, "n", 2)
                        + many.formatted(3, -1)
                        + byZero.formatted(3, -1, 7, 7));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void upsertsReplaceByKeyAndTheLastOfAStepCounts(int threads) throws IOException {
        String sql = "CREATE TABLE t (v VARCHAR NOT NULL, k INT PRIMARY KEY) WITH ('upserts' = 'true');"
                + " CREATE VIEW w AS SELECT k, v FROM t;";
        String set = "{\"step\":%d,\"table\":\"t\",\"weight\":1,\"row\":{\"k\":%d,\"v\":\"%s\"}}\n";
        String remove = "{\"step\":%d,\"table\":\"t\",\"weight\":-1,\"row\":{\"k\":%d}}\n";
        String changes = set.formatted(1, 7, "z")
                + set.formatted(1, 7, "a")
                + set.formatted(1, 8, "x")
                + set.formatted(2, 7, "b")
                + remove.formatted(2, 8)
                + remove.formatted(2, 9)
                + set.formatted(3, 7, "b");
        assertThat(run(sql, changes, threads)).isEqualTo("""
                {"step":1,"view":"w","weight":1,"row":{"k":7,"v":"a"}}
                {"step":1,"view":"w","weight":1,"row":{"k":8,"v":"x"}}
                {"step":2,"view":"w","weight":-1,"row":{"k":7,"v":"a"}}
                {"step":2,"view":"w","weight":1,"row":{"k":7,"v":"b"}}
                {"step":2,"view":"w","weight":-1,"row":{"k":8,"v":"x"}}
                """);
        assertThatThrownBy(() -> run(sql, remove.formatted(1, 8).replace("-1", "3"), threads))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("line 1");
        assertThatThrownBy(() -> run(sql.replace("PRIMARY KEY", ""), "", threads))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("line 1, column 14: Upserts replace rows by their PRIMARY KEY; declare one");
    }

    @Test
    void noViewIsCalledErrors() {
        assertThatThrownBy(() -> run("CREATE TABLE t (a INT); CREATE VIEW Errors AS SELECT a FROM t;", "", 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("line 1, column 37: The view Errors is the system's");
    }

    @Test
    void weightsBeyond64BitsRefuseTheirStep() {
        String line = "{\"step\":%d,\"table\":\"t\",\"weight\":9223372036854775807,\"row\":{\"a\":1}}\n";
        String sql = "CREATE TABLE t (a INT); CREATE VIEW v AS SELECT COUNT(*) AS n FROM t;";
        assertThatThrownBy(() -> run(sql, line.formatted(4) + line.formatted(5), 2))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("Step 5 can not be computed: a weight, count, time or interval exceeds 64 bits");
        assertThat(out).hasContent("{\"step\":4,\"view\":\"v\",\"weight\":1,\"row\":{\"n\":9223372036854775807}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT b / a AS q FROM t | by zero & it is the row #0 = 0, #1 = 7 (views v, w, & pipe",
                "SELECT CAST(s AS INT) AS n FROM t WHERE a = 0 | 'x' is not an integer & #0 = 0, #2 = 'x' (view",
                "SELECT CAST(SUM(b) * 20 AS TINYINT) AS n FROM t | 160 does not fit TINYINT & #0 = 8 & (views v, w, ",
                "SELECT x.a FROM t x JOIN t y ON x.b = y.b AND x.b / x.a > 1 | by zero & #1 = 7 & (views v, w"
            })
    void whatCanNotBeComputedIsNamedByRowOperatorViewsAndPlace(String query, String parts) throws IOException {
        String sql = "CREATE TABLE t (a BIGINT, b BIGINT, s VARCHAR); CREATE VIEW one AS SELECT COUNT(*) AS n FROM t;"
                + "\nCREATE VIEW v AS " + query + "; CREATE VIEW w AS SELECT * FROM v;";
        String line = "{\"step\":%d,\"table\":\"t\",\"weight\":1,\"row\":{\"a\":%d,\"b\":%d,\"s\":\"%s\"}}\n";
        for (int threads : new int[] {1, 3}) {
            assertThatThrownBy(() ->
                            runUntilAnError(sql, line.formatted(4, 1, 1, "2") + line.formatted(5, 0, 7, "x"), threads))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("Step 5 can not be computed: ")
                    .hasMessageContainingAll(parts.split(" & "))
                    .hasMessageContaining(", query at line 2, column 18, operator ");
        }
        assertThat(out).content().contains("{\"step\":4,\"view\":\"one\"").doesNotContain("\"step\":5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT b, COUNT(b) AS n, SUM(a) AS s FROM t GROUP BY b | not fit BIGINT | SUM at line 2, column 43",
                "SELECT COUNT(*) AS n, SUM(a) AS s FROM t GROUP BY CUBE (b) | not fit | SUM at line 2, column 40",
                "SELECT ARRAY_AGG(a) AS l FROM t | of more than 10000000 values | ARRAY_AGG at line 2, column 25,",
                "SELECT a, ROW_NUMBER() OVER (ORDER BY a) AS r FROM t | copies | ROW_NUMBER at line 2, column 28,",
                "SELECT a FROM t WHERE a = (SELECT b FROM t) | more than one row | query at line 2, column 18,"
            })
    void whatAnAggregateCanNotComputeIsNamedByThePlaceOfItsCall(String query, String message, String place) {
        String sql = "CREATE TABLE t (a INT, b INT);\nCREATE VIEW v AS " + query + ";";
        String line = "{\"step\":1,\"table\":\"t\",\"weight\":4611686018427387904,\"row\":{\"a\":7,\"b\":7}}\n";
        assertThatThrownBy(() -> runUntilAnError(sql, line, 1))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(message, place);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "DATE '9999-12-31' + i | +10009-12-31 is no DATE; they go from 0001-01-01 to 9999-12-31",
                "TIMESTAMP '0001-01-01 00:00:00' - i | -0009-01-01 is no DATE",
                "TIMESTAMP '9999-12-31 23:59:59' + d | +10000-01-02 is no DATE",
                "DATE '0001-01-01' - d | 0000-12-30 is no DATE"
            })
    void datesThatHaveNoFourDigitsOfAYearAreErrorsOfTheStep(String expression, String message) {
        String sql = "CREATE TABLE t (i INTERVAL YEAR, d INTERVAL DAY);\nCREATE VIEW v AS SELECT " + expression
                + " AS x FROM t;";
        String line = "{\"step\":1,\"table\":\"t\",\"weight\":1,\"row\":{\"i\":\"P10Y\",\"d\":\"P2D\"}}\n";
        assertThatThrownBy(() -> runUntilAnError(sql, line, 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aProgramThatWouldWriteNothingIsRefused() {
        assertThatThrownBy(() -> run("CREATE TABLE t (a INT); CREATE LOCAL VIEW v AS SELECT a FROM t;", "", 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("program.sql creates no view that would be written; add CREATE VIEW name AS");
    }

    @Test
    void readsTablesFromCsvIntoTheFirstStep() throws IOException {
        Files.writeString(program, PROGRAM);
        Path csv = directory.resolve("orders.csv");
        Files.writeString(csv, "who,ID\r\n\"a \"\"x\"\"\",1\n,2\n\"\",3");
        Path empty = Files.writeString(in, "\n");
        for (Path changes : Arrays.asList(null, empty)) {
            RunOptions options = new RunOptions(program, changes, out, 1, null, Map.of("ORDERS", csv), List.of());
            assertThat(new CircuitRun(options, (step, rowsIn, rowsOut) -> {})
                            .run()
                            .rowsIn())
                    .isEqualTo(3);
            assertThat(out).hasContent("""
                        {"step":0,"view":"Totals","weight":1,"row":{"who":null,"n":1,"total":null}}
                        {"step":0,"view":"Totals","weight":1,"row":{"who":"","n":1,"total":null}}
                        {"step":0,"view":"Totals","weight":1,"row":{"who":"a \\"x\\"","n":1,"total":null}}
                        {"step":0,"view":"everything","weight":1,"row":{"n":3}}
                        """);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "id,nope,who | there is no 'nope'",
                "id,who, ID | 'ID' is there twice",
                "id,,who | its field 2 is empty",
                "'' | the file is empty"
            })
    void aFirstLineOfCsvThatNamesNoColumnsIsRefusedByWhatItNames(String first, String found) throws IOException {
        Files.writeString(program, PROGRAM);
        Path csv = Files.writeString(directory.resolve("orders.csv"), first.equals("''") ? "" : first + "\n1,2,3\n");
        RunOptions options = new RunOptions(program, null, out, 1, null, Map.of("orders", csv), List.of());
        assertThatThrownBy(() -> new CircuitRun(options, (step, rowsIn, rowsOut) -> {}).run())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("orders.csv line 1: the first line must name columns, each once, of [Id, ")
                .hasMessageEndingWith(found);
    }

    /** So many rows that the lines of the next step are read beside the step. */
    private static void insertMany(StringBuilder changes, int step, int firstId) {
        for (int id = firstId; id < firstId + 1_000; id++) {
            changes.append("{\"step\":%d,\"table\":\"orders\",\"weight\":1,\"row\":{\"id\":%d}}%n".formatted(step, id));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLineThatIsReadBesideAStepEndsTheRunBehindIt(int threads) throws IOException {
        StringBuilder changes = new StringBuilder();
        insertMany(changes, 1, 0);
        insertMany(changes, 2, 1_000);
        changes.append("{\"step\":2,\"table\":\"orders\",\"weight\":1,\"row\":{\"id\":\"x\"}}");

        assertThatThrownBy(() -> run(PROGRAM, changes.toString(), threads))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("line 2001: column Id: \"x\"");
        assertThat(Files.readString(out)).contains("{\"step\":1,").doesNotContain("{\"step\":2,");
    }

    @Test
    void theFirstOfTwoStepsWithMistakesIsNamed() throws IOException {
        StringBuilder changes = new StringBuilder();
        insertMany(changes, 1, 0);
        insertMany(changes, 2, 999);
        changes.append("{\"step\":3,\"table\":\"orders\",\"weight\":1,\"row\":{\"id\":\"x\"}}");

        assertThatThrownBy(() -> run(PROGRAM, changes.toString(), 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("Step 2 is refused");
        assertThat(Files.readString(out)).contains("{\"step\":1,").doesNotContain("{\"step\":2,");
    }
}
