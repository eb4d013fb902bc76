/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.run.RowText;
import dev.ratchet.circuits.run.TableText;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.dataflow.Received;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.ShownRows;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.record.ProgramViews;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A program, a layout, requests and faults made from a seed; what the cluster puts out must be, step by step and in
 * views and errors, what one process puts out that is given the input of the same steps.
 */
final class CircuitScenario {

    private static final String TABLES =
            "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL); CREATE TABLE u (k INT NOT NULL, v INT NOT NULL);";
    private static final List<String> VIEWS = List.of(
            "SELECT k, SUM(v) AS s, COUNT(*) AS n FROM t GROUP BY k",
            "SELECT t.k, t.v, u.v AS w FROM t JOIN u ON t.k = u.k",
            "SELECT MAX(v) AS m, COUNT(DISTINCT k) AS d FROM t",
            "SELECT k FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.k = t.k)",
            "SELECT k, 12 / (v - 3) AS q FROM t",
            "SELECT t.k, SUM(u.v / (t.v - 2)) AS s FROM t JOIN u ON t.v = u.k GROUP BY t.k",
            "SELECT k FROM t UNION SELECT v AS k FROM u");
    private static final String RECURSIVE = "DECLARE RECURSIVE VIEW r(a INT NOT NULL, b INT NOT NULL);"
            + " CREATE VIEW r AS SELECT k AS a, v AS b FROM t UNION"
            + " SELECT r.a, t.v AS b FROM r JOIN t ON r.b = t.k;";

    static final int SEATS_MAX = 4;
    private static final long SETTLED_MILLIS = 300_000;

    private final long seed;
    private final SplittableRandom random;
    private final SqlProgram program;
    private final List<String> views = new ArrayList<>();
    private final boolean faulty;
    private final int requests;
    private final CircuitCluster circuit;
    private final Optional<CircuitEdges> edges;

    /**
     * A scenario of a seed; one of three has more than producers and readers around the circuit.
     *
     * @param faulty whether anything happens to the cluster
     * @param directory for files, which no other scenario has
     */
    CircuitScenario(long seed, boolean faulty, CircuitDefects defects, Path directory) {
        this.seed = seed;
        this.faulty = faulty;
        this.random = new SplittableRandom(seed ^ 0x5bd1e995L);
        this.requests = 6 + random.nextInt(15);
        boolean hasEdges = seed % 3 == 0;
        String text = defects.program(program() + (hasEdges ? CircuitEdges.PROGRAM : ""));
        this.program = SqlProgram.compile(text);
        program.views().forEach(view -> views.add(view.name()));
        views.add(StepErrors.VIEW);
        int seats = 1 + random.nextInt(SEATS_MAX);
        DataflowSettings settings = new DataflowSettings(
                "c",
                new ProgramSource.Sql(text),
                false,
                1 + random.nextInt(2),
                1 + random.nextInt(2_000),
                2 + random.nextInt(2),
                OnError.COLLECT,
                Map.of(),
                "",
                List.of(),
                List.of());
        SplittableRandom ofEdges = new SplittableRandom(seed + 0x2545f491L);
        DataflowSettings around = hasEdges ? CircuitEdges.in(settings, directory, ofEdges) : settings;
        this.circuit = new CircuitCluster(seed, seats, around, views, defects);
        this.edges = hasEdges ? Optional.of(new CircuitEdges(circuit, around, directory, ofEdges)) : Optional.empty();
    }

    private String program() {
        StringBuilder text = new StringBuilder(TABLES);
        int count = 1 + random.nextInt(2);
        for (int view = 0; view < count; view++) {
            text.append(" CREATE VIEW v" + view + " AS " + VIEWS.get(random.nextInt(VIEWS.size())) + ";");
        }
        if (random.nextInt(4) == 0) {
            text.append(' ').append(RECURSIVE);
        }
        return text.toString();
    }

    /** Tells runs of one seed apart. */
    long digest() {
        return circuit.cluster.world.digest();
    }

    /** Runs it, and fails where the cluster does not do what one process does. */
    void tell() {
        String what = this + ", which runs " + program.views().size() + " views";
        CircuitFaults faults = new CircuitFaults(circuit, edges.map(CircuitEdges::folders), random);
        edges.ifPresent(around -> around.begin(pauseMillisMax()));
        CompletableFuture<Void> all = send(0);
        if (faulty) {
            faults.begin();
        }
        circuit.cluster.world.until(what + " takes all input", SETTLED_MILLIS, () -> {
            circuit.retryWhereKillsAreTakenForTheStep();
            return all.isDone();
        });
        faults.end();
        circuit.cluster.world.until(what + " heals", SETTLED_MILLIS, faults::areOver);
        edges.ifPresent(around -> around.awaitInput(what, SETTLED_MILLIS));
        String last = circuit.sent.keySet().stream().max(String::compareTo).orElseThrow();
        long step = circuit.stepOf(last, SETTLED_MILLIS);
        circuit.cluster.world.until(what + " has told all", SETTLED_MILLIS, () -> {
            circuit.retryWhereKillsAreTakenForTheStep();
            return circuit.completeStep() >= step || !circuit.told.mistakes().isEmpty();
        });
        edges.ifPresent(around -> around.awaitOutput(what, step, SETTLED_MILLIS));
        assertThat(circuit.told.mistakes()).as(toString()).isEmpty();
        compare();
    }

    private CompletableFuture<Void> send(int sequence) {
        if (sequence == requests) {
            return CompletableFuture.completedFuture(null);
        }
        InputRequest request = request(sequence);
        return circuit.append(request).thenCompose(answer -> later().thenCompose(nothing -> {
            if (random.nextInt(4) > 0) {
                return send(sequence + 1);
            }
            return circuit.append(request).thenCompose(again -> {
                if (!again.equals(new Received(answer.sequence(), answer.position(), true))) {
                    circuit.told.mistake(request + " was received at " + answer + ", then at " + again);
                }
                return send(sequence + 1);
            });
        }));
    }

    private CompletableFuture<Void> later() {
        CompletableFuture<Void> over = new CompletableFuture<>();
        circuit.cluster.later(random.nextInt(pauseMillisMax()), () -> over.complete(null));
        return over;
    }

    private int pauseMillisMax() {
        return faulty ? 3_000 : 200;
    }

    private InputRequest request(long sequence) {
        List<TableRows> tables = new ArrayList<>();
        for (String table : List.of("t", "u")) {
            StringBuilder rows = new StringBuilder();
            int most = random.nextInt(6) == 0 ? 400 : 5;
            for (int row = random.nextInt(most); row >= 0; row--) {
                rows.append("{\"k\":%d,\"v\":%d}\n".formatted(random.nextInt(8), random.nextInt(8)));
            }
            tables.add(new TableRows(table, RowFormat.NDJSON, rows.toString().getBytes(StandardCharsets.UTF_8)));
        }
        return new InputRequest("p", sequence, tables);
    }

    private void compare() {
        Map<Long, List<InputRequest>> steps = new TreeMap<>();
        String before = "";
        int count = 0;
        Map<Long, String> ends = circuit.ends(circuit.completeStep());
        for (Map.Entry<Long, String> end : ends.entrySet()) {
            List<InputRequest> taken = new ArrayList<>();
            for (Map.Entry<String, InputRequest> request : circuit.sent.entrySet()) {
                if (request.getKey().compareTo(before) > 0 && request.getKey().compareTo(end.getValue()) <= 0) {
                    taken.add(request.getValue());
                }
            }
            steps.put(end.getKey(), taken);
            count += taken.size();
            before = end.getValue();
        }
        int files = edges.map(CircuitEdges::files).orElse(0);
        assertThat(count).as("requests and files in steps of " + this).isEqualTo(requests + files);
        Map<String, Map<Long, Change>> expected = alone(steps);
        for (String view : views) {
            if (!view.equals(CircuitClock.VIEW)) {
                Map<Long, List<String>> rows = new TreeMap<>();
                expected.get(view).forEach((step, change) -> rows.put(step, change.rows()));
                assertThat(circuit.told.of(view)).as(view + " of " + this).isEqualTo(rows);
            }
        }
        edges.ifPresent(around -> around.check(toString(), expected, ends));
    }

    /**
     * What a step changes in a view.
     *
     * @param rows with their weights
     * @param file as an output writes it
     */
    record Change(List<String> rows, String file) {}

    private static Change change(Relation view, long step, Batch changed) {
        RowText file = new RowText(view);
        OrderedRows.visit(
                changed, (row, weight) -> file.append("{\"step\":" + step + ",\"weight\":" + weight + ",\"row\":")
                        .json(row)
                        .append("}\n"));
        return new Change(
                ShownRows.of(changed),
                file.append("{\"step\":" + step + ",\"complete\":true}\n").take());
    }

    private Map<String, Map<Long, Change>> alone(Map<Long, List<InputRequest>> steps) {
        Map<String, Map<Long, Change>> changes = new HashMap<>();
        views.forEach(view -> changes.put(view, new TreeMap<>()));
        try (Circuit alone = new Circuit(program.plan(), CircuitOptions.inMemory(1))) {
            Map<String, TableText> tables = new HashMap<>();
            program.tables()
                    .forEach(table -> tables.put(table.name(), new TableText(table, alone.input(table.name()))));
            steps.forEach((step, taken) -> {
                for (InputRequest request : taken) {
                    for (TableRows rows : request.tables()) {
                        tables.get(rows.table()).addNdjson(rows.rows(), 0, rows.rows().length, (line, reason, row) -> {
                            throw new AssertionError(reason);
                        });
                    }
                }
                alone.step();
                for (Relation view : ProgramViews.of(program)) {
                    boolean isErrors = view.name().equals(StepErrors.VIEW);
                    Batch changed = isErrors ? alone.errors() : alone.output(view.name());
                    if (!changed.isEmpty()) {
                        changes.get(view.name()).put(step, change(view, step, changed));
                    }
                }
            });
        }
        return changes;
    }

    /** Lets go of what the processes have open. */
    void end() {
        circuit.workers.forEach(worker -> worker.process().kill());
    }

    @Override
    public String toString() {
        return "seed " + seed + " of " + circuit.workers.size() + " workers";
    }
}
