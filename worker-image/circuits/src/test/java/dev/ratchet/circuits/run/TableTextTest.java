/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.sql.SqlProgram;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTextTest {

    private final SqlProgram program =
            SqlProgram.compile("CREATE TABLE t (a INT NOT NULL, b VARCHAR(3)); CREATE VIEW v AS SELECT a, b FROM t;");
    private final Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(1));
    private final TableText text = new TableText(program.tables().get(0), circuit.input("t"));
    private final List<String> failures = new ArrayList<>();

    private void failed(long line, String reason, String row) {
        failures.add(line + ": " + reason + " | " + row);
    }

    private long ndjson(String rows) {
        byte[] bytes = ("#" + rows).getBytes(StandardCharsets.UTF_8);
        return text.addNdjson(bytes, 1, bytes.length - 1, this::failed);
    }

    private List<String> step() {
        circuit.step();
        Batch changes = circuit.output("v");
        List<String> rows = new ArrayList<>();
        for (BatchCursor row = changes.cursor(); row.valid(); row.next()) {
            rows.add(row.longAt(0) + (row.isNull(1) ? "" : " " + row.stringAt(1)) + " x" + row.weight());
        }
        rows.sort(null);
        return rows;
    }

    @Test
    void rowsAreObjectsOrWhatIsInsertedOrDeleted() {
        assertThat(ndjson("""
                {"a":1,"b":"x"}

                {"insert":{"a":2}}
                {"b":"\\u0041", "a":3, "unknown":[1]}
                """)).isEqualTo(3);
        assertThat(step()).containsExactly("1 x x1", "2 x1", "3 A x1");
        assertThat(ndjson("{\"delete\":{\"a\":2}}")).isEqualTo(1);
        assertThat(step()).containsExactly("2 x-1");
        assertThat(failures).isEmpty();
    }

    @Test
    void linesOfInsertsAndDeletesAreReadWithoutTheLibraryWhereTheyArePlain() {
        assertThat(isPlain("{\"insert\":{\"a\":1,\"b\":\"x\"}}")).isTrue();
        assertThat(isPlain(" { \"delete\" : { \"a\" : 1 } } ")).isTrue();
        assertThat(step()).containsExactly("1 x x1", "1 x-1");
        for (String other : List.of(
                "{\"insert\":{\"a\":1},\"c\":2}",
                "{\"insert\":{\"a\":1}",
                "{\"insert\":{\"a\":1}}}",
                "{\"insert\":{\"insert\":{\"a\":1}}}",
                "{\"insert\":3}",
                "{\"update\":{\"a\":1}}")) {
            assertThat(isPlain(other)).as(other).isFalse();
        }
    }

    private boolean isPlain(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        TextRowReader rows = new TextRowReader(program.tables().get(0), circuit.input("t"), circuit.input("t")::add);
        return new PlainLine().bare(bytes, 0, bytes.length, rows);
    }

    @Test
    void aColumnOfThatNameIsNoInsert() {
        SqlProgram named = SqlProgram.compile("CREATE TABLE t (\"Insert\" INT, a INT);"
                + " CREATE VIEW v AS SELECT \"Insert\", CAST(a AS VARCHAR) AS a FROM t;");
        try (Circuit own = new Circuit(named.plan(), CircuitOptions.inMemory(1))) {
            byte[] rows = "{\"insert\":1}\n{\"insert\":{\"a\":1}}\n".getBytes(StandardCharsets.UTF_8);
            assertThat(new TableText(named.tables().get(0), own.input("t"))
                            .addNdjson(rows, 0, rows.length, this::failed))
                    .isEqualTo(1);
        }
        assertThat(failures).hasSize(1);
        assertThat(failures.getFirst()).startsWith("2: column Insert");
    }

    @Test
    void aStrictTableRefusesFieldsThatAreNoColumns() {
        SqlProgram strict = SqlProgram.compile("CREATE TABLE t (a INT NOT NULL, b VARCHAR(3)) WITH ('strict' = 'true');"
                + " CREATE VIEW v AS SELECT a, b FROM t;");
        byte[] rows = "{\"a\":1,\"c\":2}\n{\"a\":3}\n{\"delete\":{\"a\":3,\"c\":1}}\n".getBytes(StandardCharsets.UTF_8);
        assertThat(new TableText(strict.tables().get(0), circuit.input("t"))
                        .addNdjson(rows, 0, rows.length, this::failed))
                .isEqualTo(1);
        assertThat(step()).containsExactly("3 x1");
        assertThat(failures).hasSize(2);
        assertThat(failures.getFirst()).startsWith("1: ").contains("'c'", "its columns are [a, b]");
    }

    @Test
    void aRowThatIsNoneOfTheTableIsToldAndTheOthersAreAdded() {
        assertThat(ndjson("""
                {"a":1}
                {"b":"long"}
                {"a":2,"b":"long"}
                {"a":
                [3]
                {"a":4}
                """)).isEqualTo(2);
        assertThat(step()).containsExactly("1 x1", "4 x1");
        assertThat(failures).hasSize(4);
        assertThat(failures.get(0))
                .isEqualTo("2: column a: NULL in a column that is NOT NULL; give a value | {\"b\":\"long\"}");
        assertThat(failures.get(1)).startsWith("3: column b: 4 characters");
        assertThat(failures.get(2)).startsWith("4: ").endsWith(" | {\"a\":");
        assertThat(failures.get(3)).startsWith("5: a row is an object");
    }

    @Test
    void recordsOfCsvGoOnBehindOneThatIsWrong() {
        byte[] csv = "b,a\nx,1\ny\n\"z\",one\n,4\n".getBytes(StandardCharsets.UTF_8);
        assertThat(text.addCsv(csv, 0, csv.length, this::failed)).isEqualTo(2);
        assertThat(step()).containsExactly("1 x x1", "4 x1");
        assertThat(failures.get(0)).isEqualTo("3: 1 fields where the first line names 2 columns | y");
        assertThat(failures.get(1)).startsWith("4: column a");
        assertThat(failures).hasSize(2);
    }

    @Test
    void csvWithoutItsColumnsIsOneFailure() {
        byte[] csv = "c\n1\n".getBytes(StandardCharsets.UTF_8);
        assertThat(text.addCsv(csv, 0, csv.length, this::failed)).isZero();
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0)).contains("the first line must name columns");
        assertThat(step()).isEmpty();
    }
}
