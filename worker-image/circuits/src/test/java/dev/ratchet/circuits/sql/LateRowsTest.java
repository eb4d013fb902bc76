/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.Samples;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rows come and go around the watermark, and later. Each view holds what DuckDB answers over the rows that were not too
 * late when they came, whatever of them was let go since: what a closed window showed stays.
 */
class LateRowsTest {

    private static final int STEPS = 40;
    private static final Duration DELAY = Duration.ofMinutes(60);
    private static final LocalDateTime START = LocalDateTime.of(2024, 2, 28, 20, 0);

    private static final String TABLES = """
            CREATE TABLE t (ts TIMESTAMP LATENESS INTERVAL '1' HOUR, k VARCHAR, v INTEGER);
            CREATE TABLE u (k VARCHAR, rate INTEGER);
            """;

    /** A view in each line, and behind a bar what DuckDB is asked. */
    private static final String QUERIES = """
            SELECT window_start, k, COUNT(*) AS n, SUM(v) AS s, MAX(v) AS m, COUNT(DISTINCT v) AS d FROM TABLE(HOP(\
              TABLE t, DESCRIPTOR(ts), INTERVAL '20' MINUTE, INTERVAL '1' HOUR)) GROUP BY window_start, k \
              | SELECT s, k, COUNT(*), SUM(v), MAX(v), COUNT(DISTINCT v) FROM hops GROUP BY s, k
            SELECT window_end, MIN(v) AS m, STRING_AGG(k, '' ORDER BY k) AS l FROM TABLE(HOP(\
              TABLE t, DESCRIPTOR(ts), INTERVAL '20' MINUTE, INTERVAL '1' HOUR)) GROUP BY window_end \
              | SELECT s + INTERVAL '1' HOUR, MIN(v), STRING_AGG(k, '' ORDER BY k) FROM hops GROUP BY s
            SELECT window_start, k, v, RANK() OVER (PARTITION BY window_start, k ORDER BY v DESC NULLS LAST) AS r \
              FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '20' MINUTE, INTERVAL '1' HOUR)) \
              | SELECT s, k, v, RANK() OVER (PARTITION BY s, k ORDER BY v DESC NULLS LAST) FROM hops
            SELECT window_start, k, v FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '20' MINUTE, INTERVAL '1' \
              HOUR)) QUALIFY RANK() OVER (PARTITION BY window_start, k ORDER BY v DESC NULLS LAST) <= 2 \
              | SELECT s, k, v FROM hops QUALIFY RANK() OVER (PARTITION BY s, k ORDER BY v DESC NULLS LAST) <= 2
            SELECT DISTINCT window_start, k FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '20' MINUTE, INTERVAL '1' \
              HOUR)) | SELECT DISTINCT s, k FROM hops
            SELECT window_start, SUM(v * rate) AS s FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '20' MINUTE, \
              INTERVAL '1' HOUR)) AS h JOIN u ON h.k = u.k GROUP BY window_start \
              | SELECT s, SUM(v * rate) FROM hops JOIN u ON hops.k = u.k GROUP BY s
            SELECT k, window_start, window_end, COUNT(*) AS n, SUM(v) AS s, MAX(v) AS m, COUNT(DISTINCT v) AS d FROM \
              TABLE(SESSION(TABLE t, DESCRIPTOR(ts), DESCRIPTOR(k), INTERVAL '25' MINUTE)) GROUP BY k, window_start, \
              window_end | SELECT k, b, e, COUNT(*), SUM(v), MAX(v), COUNT(DISTINCT v) FROM ends GROUP BY k, b, e
            SELECT k, ts, window_start, window_end FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), DESCRIPTOR(k), \
              INTERVAL '25' MINUTE)) | SELECT k, ts, b, e FROM ends
            SELECT window_end, COUNT(*) AS n FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), DESCRIPTOR(k), \
              INTERVAL '25' MINUTE)) GROUP BY window_end | SELECT e, COUNT(*) FROM ends GROUP BY e
            SELECT FLOOR(ts TO HOUR) AS h, COUNT(*) AS n, MAX(v) AS m FROM t GROUP BY FLOOR(ts TO HOUR) \
              | SELECT date_trunc('hour', ts) AS h, COUNT(*), MAX(v) FROM t GROUP BY h
            """;

    private static final String HOPS = """
            CREATE VIEW hops AS SELECT *, time_bucket(INTERVAL '20' MINUTE, ts, TIMESTAMP '1970-01-01')
              - i * INTERVAL '20' MINUTE AS s FROM t, (VALUES (0), (1), (2)) AS z(i) WHERE ts IS NOT NULL
            """;

    private static final String ENDS = """
            CREATE VIEW ends AS SELECT *, MIN(ts) OVER (PARTITION BY k, g) AS b,
              MAX(ts) OVER (PARTITION BY k, g) + INTERVAL '25' MINUTE AS e
            FROM (SELECT *, SUM(i) OVER (PARTITION BY k ORDER BY ts) AS g
              FROM (SELECT *, CASE WHEN ts - LAG(ts) OVER (PARTITION BY k ORDER BY ts) <= INTERVAL '25' MINUTE
                THEN 0 ELSE 1 END AS i FROM t WHERE ts IS NOT NULL))
            """;

    private final List<List<@Nullable Object>> rows = new ArrayList<>();
    private LocalDateTime watermark = LocalDateTime.MIN;
    private LocalDateTime latest = LocalDateTime.MIN;
    private int late;

    static LongStream seeds() {
        return Samples.seeds(2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void viewsHoldWhatDuckDbAnswersOverTheRowsThatWereInTime(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<String[]> queries =
                QUERIES.lines().map(line -> line.split(" \\| ")).toList();
        StringBuilder program = new StringBuilder(TABLES);
        for (int i = 0; i < queries.size(); i++) {
            program.append("CREATE VIEW v" + i + " AS " + queries.get(i)[0] + ";\n");
        }
        try (DuckTables duck = new DuckTables();
                ViewContents ours = new ViewContents(program.toString(), Samples.threads(seed))) {
            Relation events = ours.program().tables().get(0);
            Relation rates = ours.program().tables().get(1);
            duck.create(events);
            duck.create(rates);
            duck.execute(HOPS);
            duck.execute(ENDS);
            for (int step = 0; step < STEPS; step++) {
                for (int i = random.nextInt(6); i > 0; i--) {
                    change(random, START.plusMinutes(step * 11L), events, duck, ours);
                }
                List<Object> rate = List.of(key(random), (long) random.nextInt(4));
                duck.change(rates, rate, 1);
                ours.change(rates, rate, 1);
                ours.step();
                watermark = latest.isAfter(watermark.plus(DELAY)) ? latest.minus(DELAY) : watermark;
                for (int i = 0; i < queries.size(); i++) {
                    assertThat(ours.content("v" + i))
                            .as("seed %d, step %d, %s over %s", seed, step, queries.get(i)[0], rows)
                            .isEqualTo(duck.query(queries.get(i)[1]));
                }
            }
        }
        assertThat(late).as("late rows").isGreaterThan(10);
    }

    /** A row comes, or one of those that came is taken back; what is behind the watermark changes nothing. */
    private void change(SplittableRandom random, LocalDateTime now, Relation events, DuckTables duck, ViewContents ours)
            throws Exception {
        boolean goes = !rows.isEmpty() && random.nextInt(3) == 0;
        int recent = Math.max(0, rows.size() - 1 - random.nextInt(30));
        LocalDateTime time = now.minusMinutes(5L * random.nextInt(0, random.nextInt(4) == 0 ? 40 : 14));
        List<@Nullable Object> row = goes
                ? rows.get(recent)
                : Arrays.asList(random.nextInt(12) == 0 ? null : time, key(random), (long) random.nextInt(6));
        ours.change(events, row, goes ? -1 : 1);
        LocalDateTime at = (LocalDateTime) row.get(0);
        if (at != null && at.isBefore(watermark)) {
            late++;
            return;
        }
        latest = at != null && at.isAfter(latest) ? at : latest;
        duck.change(events, row, goes ? -1 : 1);
        if (goes) {
            rows.remove(recent);
        } else {
            rows.add(row);
        }
    }

    private static String key(SplittableRandom random) {
        return random.nextBoolean() ? "a" : "b";
    }
}
