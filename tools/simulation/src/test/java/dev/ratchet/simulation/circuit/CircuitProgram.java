/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.circuits.sql.RandomQueries;
import dev.ratchet.circuits.sql.RandomTables;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A program made from a seed and the rows that its producer sends: some take back rows that came before, some can not
 * be computed, and some are no rows.
 */
final class CircuitProgram {

    private static final String TABLES =
            "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL); CREATE TABLE u (k INT NOT NULL, v INT NOT NULL);"
                    + " CREATE TABLE w (k INT NOT NULL PRIMARY KEY, v INT NOT NULL) WITH ('upserts' = 'true');";
    private static final String UPSERTS = "w";
    private static final List<String> VIEWS = List.of(
            "SELECT k, SUM(v) AS s, COUNT(*) AS n FROM t GROUP BY k",
            "SELECT t.k, t.v, u.v AS w FROM t JOIN u ON t.k = u.k",
            "SELECT MAX(v) AS m, COUNT(DISTINCT k) AS d FROM t",
            "SELECT k FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.k = t.k)",
            "SELECT k, 12 / (v - 3) AS q FROM t",
            "SELECT t.k, SUM(u.v / (t.v - 2)) AS s FROM t JOIN u ON t.v = u.k GROUP BY t.k",
            "SELECT k FROM t UNION SELECT v AS k FROM u",
            "SELECT k, CAST(v * 40 AS TINYINT) AS b FROM t",
            "SELECT k, 7 / (SUM(v) - 9) AS q FROM t GROUP BY k",
            "SELECT k, SUM(CAST(v * 40 AS TINYINT)) AS s FROM t GROUP BY k",
            "SELECT k, 12 / (v - 4) AS q FROM w",
            "SELECT w.v, COUNT(*) AS n, SUM(t.v) AS s FROM w LEFT JOIN t ON w.k = t.k GROUP BY w.v");
    private static final String RECURSIVE = "DECLARE RECURSIVE VIEW r(a INT NOT NULL, b INT NOT NULL);"
            + " CREATE VIEW r AS SELECT k AS a, v AS b FROM t UNION"
            + " SELECT r.a, t.v AS b FROM r JOIN t ON r.b = t.k;";
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final List<String> NO_ROWS = List.of(
            "{\"k\":1",
            "7",
            "{}",
            "{\"k\":\"x\",\"v\":1,\"n\":\"x\"}",
            "{\"k\":99999999999,\"v\":1,\"n\":99999999999}",
            "{\"delete\":{\"k\":\"x\",\"v\":1,\"n\":\"x\"}}");

    private final SplittableRandom random;
    private final String text;
    /** Those of queries that a grammar has grown. */
    private final List<Relation> tables;
    /** The rows that were not taken back, by table. */
    private final Map<String, List<String>> sent = new TreeMap<>();

    CircuitProgram(SplittableRandom random) {
        this.random = random;
        StringBuilder program = new StringBuilder(TABLES);
        List.of("t", "u", UPSERTS).forEach(table -> sent.put(table, new ArrayList<>()));
        boolean grown = random.nextBoolean();
        this.tables = grown ? List.of(RandomTables.table("one", random), RandomTables.table("two", random)) : List.of();
        tables.forEach(table -> sent.put(table.name(), new ArrayList<>()));
        program.append(RandomTables.program(tables, List.of()));
        RandomQueries queries = new RandomQueries(random.nextLong(), tables);
        int count = 1 + random.nextInt(3);
        for (int view = 0; view < count; view++) {
            String query = grown && random.nextInt(3) > 0 ? queries.query() : VIEWS.get(random.nextInt(VIEWS.size()));
            program.append(" CREATE VIEW v" + view + " AS " + query + ";");
        }
        if (random.nextInt(4) == 0) {
            program.append(' ').append(RECURSIVE);
        }
        this.text = program.toString();
    }

    /** In SQL. */
    String text() {
        return text;
    }

    /** What the next request has for each table. */
    List<TableRows> next() {
        List<TableRows> all = new ArrayList<>();
        for (String table : sent.keySet()) {
            StringBuilder rows = new StringBuilder();
            // Such queries join a table with itself more than once.
            int most = ofGrown(table).isPresent() || random.nextInt(6) > 0 ? 5 : 400;
            for (int row = random.nextInt(most); row >= 0; row--) {
                rows.append(line(table)).append('\n');
            }
            all.add(new TableRows(table, RowFormat.NDJSON, rows.toString().getBytes(StandardCharsets.UTF_8)));
        }
        return all;
    }

    private Optional<Relation> ofGrown(String table) {
        return tables.stream().filter(grown -> grown.name().equals(table)).findFirst();
    }

    private String line(String table) {
        List<String> there = sent.get(table);
        int kind = random.nextInt(16);
        if (kind == 0) {
            return NO_ROWS.get(random.nextInt(NO_ROWS.size()));
        }
        if (kind < 6 && table.equals(UPSERTS)) {
            return "{\"delete\":{\"k\":%d}}".formatted(random.nextInt(8));
        }
        if (kind < 6 && !there.isEmpty()) {
            return "{\"delete\":" + there.remove(random.nextInt(there.size())) + "}";
        }
        String row = ofGrown(table).map(this::row).orElseGet(() -> "{\"k\":%d,\"v\":%d}"
                .formatted(random.nextInt(8), random.nextInt(8)));
        there.add(row);
        return row;
    }

    private String row(Relation table) {
        return table.columns().stream()
                .map(column -> "\"" + column.name() + "\":" + json(RandomTables.value(column.type(), random)))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String json(@Nullable Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        }
        return "\"" + (value instanceof LocalDateTime time ? SECONDS.format(time) : value) + "\"";
    }
}
