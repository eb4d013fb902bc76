/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.sample.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows joined with the extreme of their own group are the first by rank; what only looks like it stays a join. */
class ExtremeJoinsTest {

    private static final int STEPS = 8;
    private static final int CHANGES = 12;

    private static final String TABLE = "CREATE TABLE t (g BIGINT, h BIGINT, x BIGINT, s VARCHAR)";

    private static final String MOST = "(SELECT g, MAX(x) AS best FROM t GROUP BY g) m";
    private static final String LEAST = "(SELECT h, MIN(x) AS best, g FROM t GROUP BY g, h) m";
    private static final String COUNTS = "(SELECT g, h, COUNT(*) AS n FROM t GROUP BY g, h)";

    private static final List<String> EXTREME = List.of(
            "SELECT * FROM t JOIN " + MOST + " ON t.g = m.g AND t.x >= m.best",
            "SELECT t.s, m.best, t.g FROM " + MOST + " JOIN t ON m.best = t.x AND m.g = t.g",
            "SELECT * FROM " + LEAST + " JOIN t ON m.best >= t.x AND m.g = t.g AND m.h = t.h",
            "SELECT t.*, m.best FROM t JOIN " + LEAST + " ON t.x = m.best AND m.g = t.g AND m.h = t.h",
            "SELECT a.*, m.best FROM " + COUNTS + " a JOIN (SELECT h, MAX(n) AS best FROM " + COUNTS
                    + " GROUP BY h) m ON a.h = m.h AND a.n >= m.best");

    private static final List<String> OTHERS = List.of(
            "SELECT * FROM t JOIN " + MOST + " ON t.g = m.g AND t.x <= m.best",
            "SELECT * FROM t JOIN " + MOST + " ON t.g = m.g AND t.x < m.best",
            "SELECT * FROM t JOIN " + MOST + " ON t.h = m.g AND t.x >= m.best",
            "SELECT * FROM t JOIN " + MOST + " ON t.g = m.g AND t.h >= m.best",
            "SELECT * FROM t JOIN " + LEAST + " ON t.g = m.g AND t.x <= m.best",
            "SELECT * FROM t JOIN " + LEAST + " ON t.g = m.g AND t.h = m.h AND t.x >= m.best",
            "SELECT * FROM t JOIN " + MOST + " ON t.g = m.g AND t.x >= m.best AND t.h > m.best",
            "SELECT t.s, m.g FROM t LEFT JOIN " + MOST + " ON t.g = m.g AND t.x >= m.best",
            "SELECT * FROM (SELECT * FROM t WHERE h > 1) t JOIN " + MOST + " ON t.g = m.g AND t.x >= m.best",
            "SELECT * FROM t JOIN (SELECT g, MAX(x) FILTER (WHERE h > 1) AS best FROM t GROUP BY g) m"
                    + " ON t.g = m.g AND t.x >= m.best");

    static LongStream seeds() {
        return Samples.seeds(12);
    }

    private static List<String> queries() {
        return Stream.concat(EXTREME.stream(), OTHERS.stream()).toList();
    }

    private static String program(String table, List<String> queries) {
        StringBuilder text = new StringBuilder(table + ";\n");
        for (int i = 0; i < queries.size(); i++) {
            text.append("CREATE VIEW v")
                    .append(i)
                    .append(" AS ")
                    .append(queries.get(i))
                    .append(";\n");
        }
        return text.toString();
    }

    private static List<String> kinds(String table, String query) {
        return SqlProgram.compile(program(table, List.of(query))).plan().allNodes().stream()
                .map(Node::kind)
                .toList();
    }

    @Test
    void joinsWithTheExtremeOfTheSameRowsAreFirstRows() {
        for (String query : EXTREME) {
            assertThat(kinds(TABLE, query)).as(query).contains("top-k").doesNotContain("join");
        }
        for (String query : OTHERS) {
            assertThat(kinds(TABLE, query)).as(query).contains("join").doesNotContain("top-k");
        }
    }

    @Test
    void extremesThatNeverSinkStayJoinsWhichRememberLess() {
        for (String query : EXTREME) {
            String table = TABLE + " WITH ('append_only' = 'true')";
            assertThat(kinds(table, query)).as(query).contains("join").doesNotContain("top-k");
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theyHoldWhatDuckDbAnswersAfterEveryStep(long seed) throws Exception {
        List<String> queries = queries();
        SplittableRandom random = new SplittableRandom(seed);
        try (DuckTables duck = new DuckTables();
                ViewContents ours = new ViewContents(program(TABLE, queries), Samples.threads(seed))) {
            Relation table = ours.program().tables().get(0);
            duck.create(table);
            List<List<Object>> there = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                for (int i = 0; i < CHANGES; i++) {
                    boolean goes = !there.isEmpty() && random.nextInt(5) < (step < 4 ? 1 : 3);
                    List<Object> row = goes ? there.remove(random.nextInt(there.size())) : row(random);
                    if (!goes) {
                        there.add(row);
                    }
                    duck.change(table, row, goes ? -1 : 1);
                    ours.change(table, row, goes ? -1 : 1);
                }
                ours.step();
                for (int i = 0; i < queries.size(); i++) {
                    assertThat(ours.content("v" + i))
                            .as("seed %d, step %d, %s", seed, step, queries.get(i))
                            .isEqualTo(duck.query(queries.get(i)));
                }
            }
        }
    }

    /** Few values, so that rows are equal and tie, and one of five is NULL. */
    private static List<Object> row(SplittableRandom random) {
        Object[] row = new Object[4];
        for (int column = 0; column < row.length; column++) {
            int value = random.nextInt(column == 2 ? 7 : 5);
            row[column] = value == 0 ? null : column == 3 ? "s" + value : (Object) (long) value;
        }
        return Arrays.asList(row);
    }
}
