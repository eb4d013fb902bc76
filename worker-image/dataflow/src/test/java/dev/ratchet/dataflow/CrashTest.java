/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.run.TableText;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Processes and the coordinator are killed at random while producers repeat what they have sent: step by step the views
 * change as in one process that is fed the log. More seeds by {@code -Ddataflow.seeds=100}.
 */
class CrashTest {

    private static final List<String> PROGRAMS = List.of(
            "CREATE VIEW v AS SELECT k, SUM(v) AS s, COUNT(*) AS n FROM t GROUP BY k;",
            "CREATE VIEW v AS SELECT t.k, t.v, u.v AS w FROM t JOIN u ON t.k = u.k;",
            "CREATE VIEW v AS SELECT MAX(v) AS m, COUNT(DISTINCT k) AS d FROM t;"
                    + " CREATE VIEW w AS SELECT k FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.k = t.k);",
            "DECLARE RECURSIVE VIEW r(a INT NOT NULL, b INT NOT NULL);"
                    + " CREATE VIEW r AS SELECT k AS a, v AS b FROM t UNION"
                    + " SELECT r.a, t.v AS b FROM r JOIN t ON r.b = t.k;");
    private static final String TABLES =
            "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL); CREATE TABLE u (k INT NOT NULL, v INT NOT NULL);";
    private static final int REQUESTS = 40;

    @TempDir
    Path directory;

    static List<Long> seeds() {
        long first = Long.getLong("dataflow.seed", 1);
        List<Long> seeds = new ArrayList<>();
        for (long seed = first; seed < first + Integer.getInteger("dataflow.seeds", 3); seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    private final Map<String, InputRequest> sent = new TreeMap<>();

    @ParameterizedTest
    @MethodSource("seeds")
    void outputsAreThoseOfOneProcessWhoeverIsKilled(long seed) {
        Random random = new Random(seed);
        String program = TABLES + PROGRAMS.get(random.nextInt(PROGRAMS.size()));
        SqlProgram compiled = SqlProgram.compile(program);
        try (DataflowCluster cluster = new DataflowCluster(directory, 1 + random.nextInt(3))) {
            cluster.configure(settings(program, random));
            cluster.awaitState(0, DataflowState.RUNNING);
            String[] views = compiled.views().stream().map(Relation::name).toArray(String[]::new);
            cluster.follow(views);
            String last = "";
            for (int sequence = 0; sequence < REQUESTS; sequence++) {
                last = send(cluster, random, sequence);
                disturb(cluster, random);
            }
            for (String view : views) {
                cluster.awaitOutputOf(last, view);
            }
            Map<Long, List<InputRequest>> steps = steps(cluster, views[0]);
            assertThat(steps.values().stream().mapToInt(List::size).sum()).isEqualTo(REQUESTS);
            Map<String, Map<Long, List<String>>> expected = alone(compiled, steps);
            for (String view : views) {
                assertThat(cluster.changes(view)).as(view + " of seed " + seed).isEqualTo(expected.get(view));
            }
        }
    }

    private static DataflowSettings settings(String program, Random random) {
        return new DataflowSettings(
                "c", program, false, 1 + random.nextInt(2), 1 + random.nextInt(100), 2, OnError.COLLECT, Map.of(), "");
    }

    private String send(DataflowCluster cluster, Random random, long sequence) {
        List<TableRows> tables = new ArrayList<>();
        for (String table : List.of("t", "u")) {
            StringBuilder rows = new StringBuilder();
            for (int row = random.nextInt(4); row >= 0; row--) {
                rows.append("{\"k\":%d,\"v\":%d}\n".formatted(random.nextInt(6), random.nextInt(6)));
            }
            tables.add(new TableRows(table, RowFormat.NDJSON, rows.toString().getBytes(StandardCharsets.UTF_8)));
        }
        InputRequest request = new InputRequest("p", sequence, tables);
        Received received = cluster.append(random.nextInt(cluster.size()), request);
        if (random.nextInt(4) == 0) {
            Received again = cluster.append(random.nextInt(cluster.size()), request);
            assertThat(again).isEqualTo(new Received(sequence, received.position(), true));
        }
        sent.put(received.position(), request);
        return received.position();
    }

    private static void disturb(DataflowCluster cluster, Random random) {
        switch (random.nextInt(12)) {
            case 0 -> {
                int killed = random.nextInt(cluster.size());
                cluster.restart(killed);
                cluster.elect(random.nextInt(cluster.size()));
            }
            case 1 -> cluster.elect(random.nextInt(cluster.size()));
            default -> {}
        }
    }

    /** The requests of each step, by their positions. */
    private Map<Long, List<InputRequest>> steps(DataflowCluster cluster, String view) {
        Map<Long, List<InputRequest>> steps = new TreeMap<>();
        String before = "";
        for (long step = 1; step <= cluster.completeStep(view); step++) {
            String end = DataflowCluster.get(cluster.worker(0).inputOf(step)).orElseThrow();
            List<InputRequest> requests = new ArrayList<>();
            for (Map.Entry<String, InputRequest> request : sent.entrySet()) {
                if (request.getKey().compareTo(before) > 0 && request.getKey().compareTo(end) <= 0) {
                    requests.add(request.getValue());
                }
            }
            steps.put(step, requests);
            before = end;
        }
        return steps;
    }

    private static Map<String, Map<Long, List<String>>> alone(SqlProgram program, Map<Long, List<InputRequest>> steps) {
        Map<String, Map<Long, List<String>>> changes = new HashMap<>();
        program.views().forEach(view -> changes.put(view.name(), new TreeMap<>()));
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(1))) {
            Map<String, TableText> tables = new HashMap<>();
            program.tables()
                    .forEach(table -> tables.put(table.name(), new TableText(table, circuit.input(table.name()))));
            steps.forEach((step, requests) -> {
                for (InputRequest request : requests) {
                    for (TableRows rows : request.tables()) {
                        tables.get(rows.table()).addNdjson(rows.rows(), 0, rows.rows().length, (line, reason, text) -> {
                            throw new AssertionError(reason);
                        });
                    }
                }
                circuit.step();
                changes.forEach((view, told) -> {
                    Batch changed = circuit.output(view);
                    if (!changed.isEmpty()) {
                        told.put(step, ShownRows.of(changed));
                    }
                });
            });
        }
        return changes;
    }
}
