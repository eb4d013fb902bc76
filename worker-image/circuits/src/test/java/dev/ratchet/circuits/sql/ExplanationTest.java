/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExplanationTest {

    private static final String TABLES = """
            CREATE TABLE t (k INT NOT NULL, v BIGINT, s VARCHAR, ts TIMESTAMP LATENESS INTERVAL '1' HOUR,
              d DECIMAL(8, 2));
            CREATE TABLE u (k INT PRIMARY KEY, v BIGINT, a INT ARRAY, ts TIMESTAMP NOT NULL);
            CREATE TABLE log (k INT NOT NULL, v BIGINT, ts TIMESTAMP NOT NULL) WITH ('append_only' = 'true');
            """;

    /** Between them, they become every operator that SQL has. */
    private static final String VIEWS = """
            CREATE VIEW filtered AS SELECT k + 1 AS k, UPPER(s) AS s, CASE WHEN v IS NULL THEN 0 ELSE v END AS v
              FROM t WHERE v > 10 AND s LIKE 'a%' AND (d < 1.50 OR k IN (1, 2, 3, 4, 5))
              AND ts >= TIMESTAMP '2026-01-02 03:04:05';
            CREATE VIEW joined AS SELECT t.v, u.v AS w FROM t LEFT JOIN u ON t.k = u.k AND t.ts <= u.ts;
            CREATE VIEW outside AS SELECT k FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.k = t.k AND u.v > t.v);
            CREATE VIEW crossed AS SELECT t.v FROM t, (SELECT MAX(v) AS m FROM u) WHERE t.v < m;
            CREATE VIEW counted AS SELECT k, COUNT(*) AS n, COUNT(DISTINCT v) AS dv, SUM(v) FILTER (WHERE v > 0) AS sv,
              LISTAGG(s, '; ') WITHIN GROUP (ORDER BY v DESC) AS l, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY v) AS p,
              COVAR_POP(v, k) AS c, MAX(v) AS m, ARRAY_AGG(v) AS aa FROM t GROUP BY k;
            CREATE VIEW hours AS SELECT k, FLOOR(ts TO HOUR) AS h, COUNT(*) AS n FROM t GROUP BY k, FLOOR(ts TO HOUR);
            CREATE VIEW sets AS (SELECT k FROM t UNION SELECT k FROM u) EXCEPT
              (SELECT k FROM log INTERSECT SELECT k FROM u);
            CREATE VIEW bags AS (SELECT k FROM t UNION ALL SELECT k FROM u) EXCEPT ALL
              (SELECT k FROM log INTERSECT ALL SELECT k FROM u);
            CREATE VIEW firsts AS SELECT k, v FROM (
              SELECT k, v, RANK() OVER (PARTITION BY k ORDER BY v DESC) AS r FROM t)
              WHERE r <= 3;
            CREATE VIEW kept AS SELECT k, v FROM (
              SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS r FROM log)
              WHERE r = 1;
            CREATE VIEW windowed AS SELECT k, LAG(v, 2) OVER (PARTITION BY k ORDER BY ts) AS l,
              RANK() OVER (PARTITION BY k ORDER BY ts) AS r,
              SUM(v) OVER (PARTITION BY k ORDER BY ts RANGE BETWEEN INTERVAL '5' MINUTE PRECEDING
              AND CURRENT ROW) AS s, MAX(v) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 2 PRECEDING
              AND 1 FOLLOWING) AS m FROM t;
            CREATE VIEW hopped AS SELECT k, window_start, COUNT(*) AS n FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts),
              INTERVAL '10' MINUTE, INTERVAL '1' HOUR)) GROUP BY k, window_start;
            CREATE VIEW visits AS SELECT k, v, window_end FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), DESCRIPTOR(k),
              INTERVAL '30' MINUTE));
            CREATE VIEW visited AS SELECT k, window_start, SUM(v) AS s FROM TABLE(SESSION(TABLE log, DESCRIPTOR(ts),
              DESCRIPTOR(k), INTERVAL '30' MINUTE)) GROUP BY k, window_start, window_end;
            CREATE VIEW latest AS SELECT t.v, u.v AS w FROM t LEFT ASOF JOIN u
              MATCH_CONDITION t.ts >= u.ts ON t.k = u.k;
            CREATE VIEW items AS SELECT u.k, i FROM u, UNNEST(u.a) WITH ORDINALITY AS i (i, o);
            CREATE VIEW casts AS SELECT TRIM(LEADING ' ' FROM s) AS s, LN(k) AS q, TRY_CAST(s AS INT) AS i FROM t;
            CREATE VIEW given AS SELECT * FROM (VALUES (1, 'it''s', DATE '2026-01-02'), (2, NULL, NULL)) AS g (n, s, d);
            DECLARE RECURSIVE VIEW reached (a INT, b BIGINT);
            CREATE VIEW reached AS SELECT k, v FROM t UNION SELECT r.a, t.v FROM reached r JOIN t ON r.b = t.k;
            DECLARE RECURSIVE VIEW cheapest (a INT, b BIGINT);
            CREATE VIEW cheapest AS SELECT a, MIN(b) AS b FROM (SELECT k AS a, v AS b FROM t UNION ALL
              SELECT c.a, c.b + t.v FROM cheapest c JOIN t ON c.a = t.k) GROUP BY a;
            """;

    private static String operators(String program) {
        String explanation = SqlProgram.compile(TABLES + program).explanation();
        return explanation.substring(explanation.lastIndexOf("\n\n") + 2);
    }

    @Test
    void everyOperatorIsExplainedInWordsOfSql() {
        String operators = operators(VIEWS);
        Set<String> kinds = operators
                .lines()
                .map(line -> line.replaceFirst("^\\d+ ", "").replaceFirst("( of \\d|: ).*", ""))
                .collect(Collectors.toSet());
        assertThat(kinds)
                .containsExactlyInAnyOrder(
                        "table",
                        "view",
                        "pipe",
                        "pipe of sums",
                        "send",
                        "place",
                        "placed",
                        "exchange",
                        "arrange",
                        "join",
                        "sum",
                        "distinct",
                        "except",
                        "except-all",
                        "intersect",
                        "intersect-all",
                        "aggregate",
                        "distinct values",
                        "session aggregate",
                        "top-k",
                        "window",
                        "session",
                        "as-of",
                        "constant",
                        "recursion",
                        "variable",
                        "import",
                        "feedback",
                        "export");
        // What Java prints of records, objects and classes.
        assertThat(operators)
                .doesNotContainPattern("\\[\\w+=")
                .doesNotContainPattern("\\w@[0-9a-f]+")
                .doesNotContain("Functions.", "null");
    }

    @Test
    void operatorsAreExplainedAsTheProgramSaysThem() {
        assertThat(operators(VIEWS).lines().map(line -> line.replaceFirst("^\\d+ ", "")
                        .replaceAll(" of \\d+(, \\d+)*:", ":")))
                .contains(
                        "table: t; LATENESS of #3 INTERVAL '1' HOUR; #0 k, #1 v, #2 s, #3 ts, #4 d",
                        "table: u; PRIMARY KEY #0; #0 k, #1 v, #2 a, #3 ts",
                        "table: log; append-only; #0 k, #1 v, #2 ts",
                        "arrange: BY #0; unique in u",
                        "pipe: WHERE #1 > 10 AND #2 LIKE 'a%' AND (#4 < 1.50 OR #0 = 1 OR #0 = 2 OR #0 = 3 OR #0 = 4 OR"
                                + " #0 = 5) AND #3 >= TIMESTAMP '2026-01-02 03:04:05'; SELECT #0 + 1, UPPER(#2),"
                                + " CASE WHEN #1 IS NULL THEN 0 ELSE #1 END",
                        "join: INNER ON left.#0 = right.#0 AND left.#1 >= right.#1; SELECT left.#0, left.#1, right.#0,"
                                + " right.#1; WHERE #3 < #1",
                        "join: INNER ON left.#0 = right.#0; SELECT left.#1, right.#1",
                        "aggregate: COUNT(*), COUNT(DISTINCT #1), SUM(#1) FILTER (WHERE #2), LISTAGG(#3, '; ') WITHIN"
                                + " GROUP (ORDER BY #1 DESC), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY #1),"
                                + " COVAR_POP(#1, #0), MAX(#1), ARRAY_AGG(#1) GROUP BY #0",
                        "distinct values: #1 BY #0",
                        "aggregate: COUNT(*) GROUP BY #0, #1; forgets what is behind the watermark by #1",
                        "window: SELECT *, RANK() OVER (PARTITION BY #0 ORDER BY #2)",
                        "window: SELECT *, LAG(#1, 2) OVER (PARTITION BY #0 ORDER BY #2), MAX(#1) OVER (PARTITION BY"
                                + " #0 ORDER BY #2 ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)",
                        "top-k: WHERE RANK() OVER (PARTITION BY #0 ORDER BY #1 DESC) <= 3; with this number as last"
                                + " column",
                        "pipe of sums: HOP(#1, slide INTERVAL '10' MINUTE, size INTERVAL '1' HOUR); SELECT #0, #2",
                        "session aggregate: SUM(#2) GROUP BY #0, start of session, end of session; sessions by #1 with"
                                + " gap INTERVAL '30' MINUTE",
                        "as-of: LEFT ON left.#0 = right.#0 AND left.#2 >= right.#2",
                        "pipe: SELECT TRIM(LEADING ' ' FROM #2), LN(CAST(#0 AS DOUBLE)), TRY_CAST(#2 AS INTEGER)",
                        "constant: VALUES (1, 'it''s', DATE '2026-01-02'), (2, NULL, NULL)",
                        "view: reached; #0 a, #1 b");
    }
}
