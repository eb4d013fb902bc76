/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.dataflow.Received;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A program, a layout, requests and faults made from a seed; what the cluster puts out must be, step by step and in
 * views and errors, what one process puts out that is given the input of the same steps.
 */
final class CircuitScenario {

    static final int SEATS_MAX = 4;
    private static final long SETTLED_MILLIS = 300_000;

    private final long seed;
    private final SplittableRandom random;
    private final CircuitProgram drawn;
    private final SqlProgram program;
    private final List<String> views = new ArrayList<>();
    private final boolean faulty;
    private final int requests;
    private final CircuitCluster circuit;
    private final Optional<CircuitEdges> edges;
    private final CircuitFaults faults;

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
        this.drawn = new CircuitProgram(random);
        String text = defects.program(drawn.text() + (hasEdges ? CircuitEdges.PROGRAM : ""));
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
        this.faults = new CircuitFaults(circuit, edges.map(CircuitEdges::folders), random);
    }

    /** Tells runs of one seed apart. */
    long digest() {
        return circuit.cluster.world.digest();
    }

    /** What has happened to the cluster. */
    Set<CircuitFaults.Fault> happened() {
        return faults.happened();
    }

    /** Runs it, and fails where the cluster does not do what one process does. */
    void tell() {
        String what = this + ", which runs " + program.views().size() + " views";
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
        InputRequest request = new InputRequest("p", sequence, drawn.next());
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
        Map<String, Map<Long, OneProcess.Change>> expected = OneProcess.changes(program, steps);
        for (String view : views) {
            if (!view.equals(CircuitClock.VIEW)) {
                Map<Long, List<String>> rows = new TreeMap<>();
                expected.get(view).forEach((step, change) -> rows.put(step, change.rows()));
                assertThat(circuit.told.of(view)).as(view + " of " + this).isEqualTo(rows);
            }
        }
        edges.ifPresent(around -> around.check(toString(), expected, ends));
    }

    /** The changes of errors, with their weights. */
    List<String> errors() {
        return circuit.told.of(StepErrors.VIEW).values().stream()
                .flatMap(List::stream)
                .toList();
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
