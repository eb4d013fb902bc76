/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.Samples;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What people write and the grammar of random queries does not grow: each view holds what DuckDB answers. */
class WrittenQueriesTest {

    private static final int STEPS = 5;

    private static final String TABLES = """
            CREATE TABLE t (id INTEGER, k VARCHAR, v INTEGER, price DECIMAL(8, 2), ts TIMESTAMP, dt DATE);
            CREATE TABLE u (id INTEGER, k VARCHAR, rate INTEGER, dt DATE);
            CREATE TABLE w (id INTEGER, k VARCHAR, name VARCHAR);
            """;

    /** A query in each line, which a backslash continues. */
    private static final String QUERIES = """
            SELECT id, k FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v NULLS LAST, id) BETWEEN 2 AND 3
            SELECT id, k FROM t QUALIFY RANK() OVER (PARTITION BY k ORDER BY v NULLS LAST) IN (1, 4)
            SELECT * FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS r FROM t) WHERE r = 2 OR r BETWEEN 4 AND 5
            SELECT id, t.dt - DATE '2024-02-27' AS days, u.dt - t.dt AS d FROM t JOIN u USING (id)
            SELECT dt - DATE '2024-02-01' AS days, COUNT(*) AS n FROM t GROUP BY dt - DATE '2024-02-01'
            SELECT a.id FROM t a JOIN t b ON a.k = b.k AND b.ts - a.ts < INTERVAL '90' MINUTE AND b.ts >= a.ts
            SELECT k, COUNT(*) AS n, SUM(v) AS s FROM t GROUP BY ALL
            SELECT DATE_ADD(dt, INTERVAL '2' DAY) AS d, SUM(v) AS s FROM t GROUP BY DATE_ADD(dt, INTERVAL '2' DAY)
            SELECT UPPER(k) AS x, v % 2 AS odd, 7 AS c, MAX(price) FILTER (WHERE v > 1) AS m FROM t GROUP BY \
              ALL HAVING COUNT(*) > 1
            SELECT * FROM (SELECT k, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*)) AS r FROM t GROUP BY ALL) \
              WHERE r < 3
            SELECT DISTINCT k FROM (SELECT k, v FROM t GROUP BY ALL UNION ALL SELECT k, rate FROM u GROUP BY ALL)
            SELECT id, ARRAY(SELECT v * 2 AS x FROM t ORDER BY x DESC NULLS LAST) AS doubled FROM w
            SELECT id, COUNT(DISTINCT v) OVER (PARTITION BY k) AS n, SUM(DISTINCT v) OVER (PARTITION BY k) AS s FROM t
            SELECT id, COUNT(DISTINCT dt) OVER (PARTITION BY k ORDER BY id, dt NULLS FIRST ROWS BETWEEN 2 \
              PRECEDING AND CURRENT ROW) AS n FROM t
            SELECT id, COUNT(DISTINCT k) OVER (ORDER BY ts NULLS FIRST RANGE BETWEEN INTERVAL '2' HOUR \
              PRECEDING AND CURRENT ROW) AS n FROM t
            SELECT id, MAX(v) OVER (w ROWS 1 PRECEDING) AS m, COUNT(*) OVER w AS n FROM t WINDOW w AS \
              (PARTITION BY k ORDER BY id, v, ts, dt)
            SELECT id, MAX(v) OVER (o RANGE UNBOUNDED PRECEDING) AS m, MIN(v) OVER o AS n FROM t WINDOW w AS \
              (PARTITION BY k), o AS (w ORDER BY id)
            SELECT v, ROW_NUMBER() OVER o AS n, LAG(v) OVER o AS l, SUM(v) OVER (o ROWS UNBOUNDED PRECEDING) AS s, \
              COUNT(*) OVER o AS c FROM (SELECT v FROM t) WINDOW o AS (ORDER BY v DESC NULLS LAST)
            SELECT k, id, FIRST_VALUE(id) OVER o AS f, DENSE_RANK() OVER o AS d, MAX(v) OVER o AS m, COUNT(*) \
              FILTER (WHERE v > 1) OVER o AS c, LEAD(id) OVER o AS l FROM t WINDOW o AS (PARTITION BY k ORDER BY id)
            SELECT id, (SELECT SUM(x) FROM UNNEST(ARRAY[v, id, NULL]) AS q(x)) AS s FROM t
            SELECT id, (SELECT COUNT(*) FROM UNNEST(ARRAY[v, id]) AS q(x) JOIN u ON u.rate = x) AS n FROM t
            SELECT id FROM t WHERE 2 IN (SELECT x FROM UNNEST(ARRAY[v, id]) AS q(x)) OR k IN (SELECT k FROM u)
            SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM UNNEST(ARRAY[v, id]) AS q(x) WHERE x > t.id)
            SELECT id, (SELECT MAX(x + rate) FROM UNNEST(ARRAY[v, id]) AS q(x), u WHERE u.k = t.k) AS m FROM t
            SELECT id FROM t WHERE v NOT IN (SELECT rate FROM u WHERE u.k = t.k AND rate IS NOT NULL) AND EXISTS \
              (SELECT 1 FROM u WHERE u.rate = t.v OR u.k = t.k)
            SELECT id, (SELECT MAX(rate) FROM u WHERE u.k = t.k) AS m, (SELECT COUNT(*) FROM w WHERE w.k = t.k \
              OR w.id > t.v) AS n FROM t
            SELECT id FROM t WHERE EXISTS (SELECT 1 FROM (SELECT id FROM t AS x WHERE x.dt = t.dt) AS q, u \
              WHERE u.id = q.id AND u.k = t.k)
            SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.rate = t.v AND NOT EXISTS \
              (SELECT 1 FROM w WHERE w.id = t.id AND w.k = u.k))
            SELECT id, (SELECT COUNT(*) FROM u WHERE u.k = t.k AND (u.id > 3 OR u.id NOT IN \
              (SELECT w.id FROM w WHERE w.id <> t.v AND w.k = u.k))) AS n FROM t
            SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.rate = t.v AND (NOT EXISTS (SELECT 1 FROM w \
              WHERE w.id = t.id AND w.k = u.k) OR EXISTS (SELECT 1 FROM w WHERE w.k = u.k AND w.id = t.v)))
            SELECT id, (SELECT MAX(u.rate + t.v + t.id) FROM u WHERE u.k = t.k AND u.rate < t.v) AS m FROM t
            SELECT id, (SELECT COUNT(*) FROM (SELECT * FROM u WHERE id < t.v) AS q LEFT JOIN \
              (SELECT * FROM w WHERE w.id > t.id) AS r ON q.k = r.k WHERE r.id IS NULL) AS n FROM t
            SELECT id, (SELECT COUNT(*) FROM (SELECT * FROM u WHERE id < t.v) AS q RIGHT JOIN \
              (SELECT * FROM w WHERE w.id > t.id) AS r ON q.k = r.k AND q.rate < r.id) AS n FROM t
            SELECT id, t.k FROM t JOIN u USING (id) WHERE id > 2
            SELECT id, t.k FROM t FULL JOIN u USING (id) WHERE id > 2 AND id IN (SELECT id FROM w)
            SELECT id, u.k FROM t RIGHT JOIN u USING (id) WHERE id + 1 < 4 OR t.id IS NULL
            SELECT id, b.rate FROM t AS a FULL JOIN u AS b USING (id) WHERE (id = 2) IS NOT TRUE
            SELECT id, COUNT(*) AS n FROM t LEFT JOIN u USING (id, k) WHERE k <> 'a' AND id < 5 GROUP BY id
            SELECT id, v, rate, name FROM t JOIN u USING (id) FULL JOIN w USING (id)
            SELECT ID, name FROM t RIGHT JOIN u USING (Id) RIGHT JOIN w USING (iD)
            SELECT id, k, v, rate, name FROM t FULL JOIN u USING (id, k) FULL JOIN w USING (id, k) WHERE id < 5
            SELECT id, COUNT(*) AS n FROM t FULL JOIN u USING (id) LEFT JOIN w USING (id) GROUP BY id HAVING id > 1
            SELECT id + 1 AS i, SUM(v) AS s FROM t LEFT JOIN u USING (id) FULL JOIN w USING (id) GROUP BY ALL
            SELECT id, COUNT(*) OVER (o ROWS 1 PRECEDING) AS r FROM (SELECT id FROM t) AS a FULL JOIN \
              (SELECT DISTINCT id FROM u) AS b USING (id) FULL JOIN (SELECT DISTINCT id FROM w) AS c USING (id) \
              WINDOW o AS (PARTITION BY id ORDER BY id)
            SELECT * FROM t LEFT JOIN u USING (id, k) FULL JOIN w USING (id, k)
            SELECT id, k, v, rate FROM t NATURAL FULL JOIN u
            SELECT id, v, rate, name FROM t RIGHT JOIN u USING (id) JOIN w USING (id)
            SELECT v, rate, name FROM t JOIN (u FULL JOIN w USING (id)) USING (id)
            SELECT id, AVG(DISTINCT price) FILTER (WHERE v > 0) OVER (PARTITION BY k ORDER BY id) AS m FROM t
            SELECT a.id FROM t AS a LEFT JOIN u AS b ON a.v = b.rate WHERE NULLIF(a.k, 'a') NOT IN \
              (SELECT x.k FROM t AS x WHERE x.v = a.v)
            SELECT b.id FROM u AS a RIGHT JOIN t AS b ON a.rate = b.v WHERE NULLIF(b.k, 'a') NOT IN \
              (SELECT x.k FROM t AS x WHERE x.v = b.v)
            SELECT id FROM w WHERE EXISTS (SELECT 1 FROM t AS a LEFT JOIN u AS b ON a.v = b.rate AND b.id = w.id \
              WHERE NULLIF(a.k, 'a') NOT IN (SELECT x.k FROM t AS x WHERE x.v = a.v AND x.id = w.id))
            SELECT id FROM w WHERE EXISTS (SELECT 1 FROM (SELECT * FROM t WHERE t.id >= w.id) AS a LEFT JOIN u AS b \
              ON a.v = b.rate WHERE NULLIF(a.k, 'a') NOT IN (SELECT x.k FROM t AS x WHERE x.v = a.v))
            SELECT id, (SELECT SUM((SELECT COUNT(*) FROM u AS x WHERE x.rate IS NOT DISTINCT FROM a.v)) FROM \
              (SELECT * FROM t WHERE t.k = w.k) AS a LEFT JOIN u AS b ON a.v = b.rate) AS n FROM w
            SELECT id FROM w WHERE EXISTS (SELECT 1 FROM t WHERE t.id = w.id AND NOT (EXISTS (SELECT 1 FROM u WHERE \
              u.rate > t.v AND u.k <> w.k) OR EXISTS (SELECT 1 FROM u WHERE u.rate < t.v AND (t.v > 2 OR w.k = 'a'))))
            SELECT id, k FROM t WHERE (v, k) NOT IN (SELECT rate, k FROM u)
            SELECT id FROM w WHERE EXISTS (SELECT 1 FROM t WHERE t.id = w.id AND (v, w.k) NOT IN (SELECT id, k FROM u))
            SELECT id, (v, k) IN (SELECT rate, k FROM u) AS x, NOT (v, k) IN (SELECT id, k FROM w WHERE name > 'a') \
              AS y FROM t WHERE (v, k) IN (SELECT rate, k FROM u) OR v IS NULL OR k IS NULL
            SELECT id, ((v, k) = SOME (SELECT rate, k FROM u)) IS NULL AS x, (v, k) <> ALL (SELECT id, k FROM w) AS y \
              FROM t
            SELECT id, (id, rate) IN (SELECT id, v FROM t) AS x FROM t FULL JOIN u USING (id) WHERE (id, t.k) NOT IN \
              (SELECT id, k FROM w)
            SELECT t.id, rate FROM t JOIN u ON t.id = u.id AND NOT (EXISTS (SELECT 1 FROM w WHERE w.id = t.v) OR \
              EXISTS (SELECT 1 FROM w WHERE w.id = u.rate AND w.k = t.k))
            SELECT t.id, rate FROM t LEFT JOIN (u JOIN w ON u.id = w.id AND (u.rate, w.k) NOT IN \
              (SELECT id, k FROM t)) ON w.id = t.id
            SELECT k FROM t WHERE (k, k) IN (SELECT k, name FROM w) OR (v, k) = SOME (SELECT rate, k FROM u) OR k = 'a'
            SELECT k, COUNT(*) AS n FROM t GROUP BY k HAVING (k, MAX(v)) NOT IN (SELECT k, rate FROM u) AND \
              ((k, k) IN (SELECT k, name FROM w) OR (MIN(v), k) NOT IN (SELECT id, k FROM w))
            SELECT id, k FROM t QUALIFY (RANK() OVER (PARTITION BY k ORDER BY id), k) NOT IN (SELECT id, k FROM u)
            SELECT t.id, rate FROM t LEFT JOIN u ON t.id = u.id AND (u.rate, u.k) IN (SELECT id, k FROM w) AND \
              (t.v, t.k) NOT IN (SELECT id, k FROM w)
            SELECT t.id, rate FROM t FULL JOIN u ON t.id = u.id AND (EXISTS (SELECT 1 FROM w WHERE w.id = t.v) OR \
              u.rate > (SELECT MIN(id) FROM w WHERE w.k = u.k))
            SELECT t.id, rate FROM t RIGHT JOIN u ON EXISTS (SELECT 1 FROM w WHERE w.id = t.v) AND t.k = u.k AND \
              u.k NOT IN (SELECT k FROM w WHERE w.id = u.id)
            SELECT v, name FROM t LEFT JOIN u USING (id) FULL JOIN w USING (id) ORDER BY id DESC NULLS LAST, \
              v NULLS FIRST, name NULLS FIRST LIMIT 3
            SELECT id + 1 AS id, v FROM t JOIN u USING (id) JOIN w USING (id) ORDER BY id, v NULLS FIRST LIMIT 3
            SELECT id, COUNT(*) OVER (ORDER BY dt NULLS FIRST RANGE BETWEEN INTERVAL '36' HOUR PRECEDING AND \
              INTERVAL '12' HOUR PRECEDING) AS n, SUM(v) OVER (ORDER BY price NULLS FIRST RANGE BETWEEN 0.505 \
              PRECEDING AND 0.505 FOLLOWING) AS s FROM t
            SELECT id, v <> ANY (SELECT rate FROM u WHERE u.id > 3) AS b, v = ALL (SELECT rate FROM u WHERE u.id > 4) \
              AS c FROM t
            SELECT id FROM t WHERE NOT v < ANY (SELECT rate FROM u WHERE u.id = t.id) AND v <> ANY (SELECT id FROM w \
              WHERE w.k = t.k)
            SELECT id, (v > 2) <> ANY (SELECT rate > 2 FROM u) AS a, k = ALL (SELECT k FROM u WHERE u.id = t.id) \
              AS c FROM t
            SELECT id, (SELECT COUNT(*) FROM (SELECT * FROM u WHERE u.k = t.k) AS a, (SELECT * FROM w WHERE w.k = t.k) \
              AS b) AS n FROM t
            SELECT id, (SELECT SUM(a.c * 100 + b.c) FROM (SELECT COUNT(*) AS c FROM u WHERE u.k = t.k) AS a JOIN \
              (SELECT COUNT(*) AS c FROM w WHERE w.k = t.k) AS b ON a.c <= b.c) AS n FROM t
            SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id AND u.rate = ALL (SELECT w.id FROM w \
              WHERE w.k = t.k))
            SELECT id, COUNT(*) OVER (ORDER BY v NULLS FIRST RANGE BETWEEN 0.5 FOLLOWING AND 2.5 FOLLOWING) AS n FROM t
            """;

    static LongStream seeds() {
        return Samples.seeds(2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void viewsHoldWhatDuckDbAnswersAfterEveryStep(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> queries = QUERIES.lines().toList();
        StringBuilder program = new StringBuilder(TABLES);
        for (int i = 0; i < queries.size(); i++) {
            program.append("CREATE VIEW v" + i + " AS " + queries.get(i) + ";\n");
        }
        try (DuckTables duck = new DuckTables();
                ViewContents ours = new ViewContents(program.toString(), Samples.threads(seed))) {
            Map<String, List<List<@Nullable Object>>> rows = new HashMap<>();
            for (Relation table : ours.program().tables()) {
                duck.create(table);
                rows.put(table.name(), new ArrayList<>());
            }
            for (int step = 0; step < STEPS; step++) {
                for (int i = step == 0 ? 0 : 5 + random.nextInt(8); i > 0; i--) {
                    Relation table = ours.program().tables().get(random.nextInt(3));
                    change(table, rows.get(table.name()), random, duck, ours);
                }
                ours.step();
                for (int i = 0; i < queries.size(); i++) {
                    String query = queries.get(i);
                    assertThat(ours.content("v" + i))
                            .as("seed %d, step %d, %s over %s", seed, step, query, rows)
                            .isEqualTo(duck.query(query));
                }
            }
        }
    }

    private static void change(
            Relation table,
            List<List<@Nullable Object>> rows,
            SplittableRandom random,
            DuckTables duck,
            ViewContents ours)
            throws Exception {
        boolean goes = !rows.isEmpty() && random.nextInt(3) == 0;
        List<@Nullable Object> row = goes ? rows.remove(random.nextInt(rows.size())) : row(table, random);
        if (!goes) {
            rows.add(row);
        }
        duck.change(table, row, goes ? -1 : 1);
        ours.change(table, row, goes ? -1 : 1);
    }

    private static List<@Nullable Object> row(Relation table, SplittableRandom random) {
        List<@Nullable Object> row = new ArrayList<>();
        for (Relation.Column column : table.columns()) {
            Object value =
                    switch (column.type().kind()) {
                        case INTEGER -> (long) random.nextInt(6);
                        case DECIMAL -> BigDecimal.valueOf(random.nextInt(5) * 50L, 2);
                        case TIMESTAMP -> LocalDateTime.of(2024, 2, 28, 23, 0).plusMinutes(random.nextInt(8) * 47L);
                        case DATE -> LocalDate.of(2024, 2, 27).plusDays(random.nextInt(4));
                        default -> List.of("a", "b", "c").get(random.nextInt(3));
                    };
            row.add(!column.name().equals("id") && random.nextInt(8) == 0 ? null : value);
        }
        return row;
    }
}
