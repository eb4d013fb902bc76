/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A comparison of two rows says what it says of their columns, also where some are NULL; DuckDB compares them as
 * values.
 */
class RowComparisonsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(a, b) = (c, d) | a = c AND b = d",
                "(a, b) <> (c, d) | a <> c OR b <> d",
                "(a, b) < (c, d) | a < c OR (a = c AND b < d)",
                "(a, b) <= (c, d) | a < c OR (a = c AND b <= d)",
                "(a, b) > (c, 1.5) | a > c OR (a = c AND b > 1.5)",
                "(a, b, c) >= (b, c, d) | a > b OR (a = b AND (b > c OR (b = c AND c >= d)))",
                "(a, b) BETWEEN (1, c) AND (2, d) | (a > 1 OR (a = 1 AND b >= c)) AND (a < 2 OR (a = 2 AND b <= d))",
                "(a, b) IN ((1, 2), (c, d)) | (a = 1 AND b = 2) OR (a = c AND b = d)",
                "(a, (b, c)) = (1, (c, d)) | a = 1 AND b = c AND c = d",
                "(a, b) IS DISTINCT FROM (c, NULL) | a IS DISTINCT FROM c OR b IS NOT NULL",
                "(a, b) IS NOT DISTINCT FROM (c, d) | a IS NOT DISTINCT FROM c AND b IS NOT DISTINCT FROM d",
            })
    void saysWhatItSaysOfTheColumns(String rows, String columns) {
        String program = """
                CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER, d INTEGER);
                CREATE VIEW one AS SELECT a, b, c, d, %s AS x FROM t;
                CREATE VIEW other AS SELECT a, b, c, d, %s AS x FROM t;
                """.formatted(rows, columns);
        assertSame(program);
    }

    /** The query has no rows for some rows, and rows with NULLs and without for others. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<> | a <> x OR b <> y",
                "< | a < x OR (a = x AND b < y)",
                "<= | a < x OR (a = x AND b <= y)",
                "> | a > x OR (a = x AND b > y)",
                ">= | a > x OR (a = x AND b >= y)",
                "= | a = x AND b = y",
            })
    void saysOfSomeAndAllRowsOfQueriesWhatItSaysOfTheirColumns(String comparison, String columns) {
        String query = "(SELECT a AS x, b AS y FROM t AS q WHERE q.c = t.c AND (q.a + q.b < t.d OR q.d = t.d))";
        String unknown = "EXISTS (SELECT 1 FROM " + query + " AS q WHERE (" + columns + ") IS NULL) THEN NULL ELSE ";
        String some = "CASE WHEN EXISTS (SELECT 1 FROM " + query + " AS q WHERE " + columns + ") THEN TRUE WHEN "
                + unknown + "FALSE END";
        String all = "CASE WHEN EXISTS (SELECT 1 FROM " + query + " AS q WHERE NOT (" + columns + ")) THEN FALSE WHEN "
                + unknown + "TRUE END";
        assertSame("""
                CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER, d INTEGER);
                CREATE VIEW one AS SELECT a, b, c, d, (a, b) %s SOME %s AS x, (a, b) %s ALL %s AS y FROM t;
                CREATE VIEW s AS SELECT a, b, c, d, %s AS x FROM t;
                CREATE VIEW other AS SELECT a, b, c, d, x, %s AS y FROM s AS t;
                """.formatted(comparison, query, comparison, query, some, all));
    }

    private static void assertSame(String program) {
        try (ViewContents views = new ViewContents(program, 1)) {
            Relation table = views.program().tables().get(0);
            List<Long> values = Arrays.asList(null, 1L, 2L);
            for (int i = 0; i < 81; i++) {
                views.change(
                        table,
                        Arrays.asList(
                                values.get(i % 3), values.get(i / 3 % 3), values.get(i / 9 % 3), values.get(i / 27)),
                        1);
            }
            views.step();
            assertThat(views.content("one")).hasSize(81).isEqualTo(views.content("other"));
        }
    }
}
