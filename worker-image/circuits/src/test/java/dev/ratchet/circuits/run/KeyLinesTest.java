/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step that is refused for a primary key names the file and the lines that have it. */
class KeyLinesTest {

    private static final String PROGRAM = """
            CREATE TABLE other (id INT PRIMARY KEY);
            CREATE TABLE stock (note VARCHAR, place VARCHAR NOT NULL, item INT NOT NULL, PRIMARY KEY (item, place));
            CREATE VIEW v AS SELECT note, place, item FROM stock;
            CREATE VIEW o AS SELECT id FROM other;
            """;

    @TempDir
    private Path directory;

    private Path csv;
    private Path changes;

    @BeforeEach
    void nameFiles() throws IOException {
        csv = directory.resolve("stock.csv");
        changes = directory.resolve("changes.jsonl");
        Files.writeString(directory.resolve("program.sql"), PROGRAM);
    }

    private void run(@Nullable Path in, Map<String, Path> tables, int threads) throws IOException {
        Path out = directory.resolve("results.jsonl");
        RunOptions options =
                new RunOptions(directory.resolve("program.sql"), in, out, threads, null, tables, List.of());
        new CircuitRun(options, (step, rowsIn, rowsOut) -> {}).run();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aKeyThatIsTwiceInCsvIsToldWithBothLines(int threads) throws IOException {
        Files.writeString(csv, """
                place,item,note
                hall,1,
                hall,2,"of two
                lines"
                yard,1,
                "hall",2,other
                """);
        assertThatThrownBy(() -> run(null, Map.of("STOCK", csv), threads))
                .isInstanceOf(InputException.class)
                .hasMessage("Step 0 is refused: Table stock would have 2 rows with the primary key [2, hall]; delete"
                        + " the old row in the same step or before; this step has the key in " + csv + " line 3, " + csv
                        + " line 6");
    }

    @Test
    void theSameRowTwiceIsToldToo() throws IOException {
        Files.writeString(csv, "place,item\nhall,1\nhall,1\n");
        assertThatThrownBy(() -> run(null, Map.of("stock", csv), 1))
                .hasMessageEndingWith("in " + csv + " line 2, " + csv + " line 3");
    }

    @Test
    void aKeyThatIsInCsvAndInTheFirstStepIsToldWithBothFiles() throws IOException {
        Files.writeString(csv, "place,item\nyard,1\nhall,1\n");
        Files.writeString(changes, """
                {"step":4,"table":"other","weight":1,"row":{"id":1}}
                {"step":4,"table":"stock","weight":1,"row":{"item":1,"place":"hall","note":"new"}}
                {"step":5,"table":"stock","weight":1,"row":{"item":1,"place":"hall","note":"later"}}
                """);
        assertThatThrownBy(() -> run(changes, Map.of("stock", csv), 1))
                .hasMessageStartingWith("Step 4 is refused: ")
                .hasMessageEndingWith("in " + csv + " line 3, " + changes + " line 2");
    }

    @Test
    void ofALaterStepOnlyItsOwnLinesAreNamed() throws IOException {
        Files.writeString(csv, "place,item\nhall,1\n");
        Files.writeString(changes, """
                {"step":1,"table":"other","weight":1,"row":{"id":1}}
                {"step":2,"table":"stock","weight":1,"row":{"item":1,"place":"hall"}}
                """);
        assertThatThrownBy(() -> run(changes, Map.of("stock", csv), 1))
                .hasMessageStartingWith("Step 2 is refused: ")
                .hasMessageEndingWith("in " + changes + " line 2");
        assertThat(directory.resolve("results.jsonl")).content().contains("\"place\":\"hall\"");
    }

    @Test
    void manyLinesAreCounted() throws IOException {
        Files.writeString(csv, "place,item\n" + "hall,1\n".repeat(9));
        assertThatThrownBy(() -> run(null, Map.of("stock", csv), 1))
                .hasMessageContaining("would have 9 rows")
                .hasMessageEndingWith(csv + " line 6 and 4 more");
    }
}
