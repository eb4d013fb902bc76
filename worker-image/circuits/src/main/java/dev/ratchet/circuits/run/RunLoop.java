/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.StepFailedException;
import dev.ratchet.circuits.circuit.StepRejectedException;
import dev.ratchet.circuits.run.CircuitRun.Summary;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Feeds the steps of the input to a circuit and writes what they change. One use by one thread. */
final class RunLoop {

    private final RunOptions options;
    private final SqlProgram program;
    private final Circuit circuit;
    private final @Nullable RunState state;
    private final RunProgress progress;
    private final Map<String, TableRows> tables = new LinkedHashMap<>();
    private @Nullable Long lastStep;
    private long steps;
    private long csvRows;

    /** Whether a step was begun and is not written: operators hold parts of it, so nothing more may be committed. */
    private boolean broken;

    RunLoop(RunOptions options, SqlProgram program, Circuit circuit, @Nullable RunState state, RunProgress progress) {
        this.options = options;
        this.program = program;
        this.circuit = circuit;
        this.state = state;
        this.progress = progress;
        for (Relation table : program.tables()) {
            tables.put(table.name().toLowerCase(Locale.ROOT), new TableRows(table, circuit.input(table.name())));
        }
    }

    /**
     * Runs the steps behind one.
     *
     * @param last the last step that the circuit has seen, null for none
     */
    Summary run(@Nullable Long last) throws IOException {
        lastStep = last;
        Path in = options.in();
        long kept = state == null ? 0 : state.outputBytes(options.out());
        try (ChangeReader changes = in == null ? null : new ChangeReader(in, tables);
                ResultFile out = new ResultFile(options.out(), kept)) {
            if (state != null) {
                if (!out.isRegular()) {
                    throw new InputException("The output " + options.out()
                            + " can not be cut back, as a run with a state directory needs; give a file");
                }
                state.begin(options.out(), kept);
            }
            ResultWriter results = new ResultWriter(program.views(), out);
            try {
                if (last == null) {
                    csvRows = readFiles();
                }
                if (changes != null) {
                    runSteps(changes, results, out);
                }
                if (lastStep == null && (changes == null || csvRows > 0)) {
                    runStep(0, null, results, out);
                }
            } finally {
                commit(out, true);
                progress.circuit(circuit, true);
            }
            long late = program.tables().stream()
                    .mapToLong(table -> circuit.input(table.name()).lateRows())
                    .sum();
            return new Summary(steps, rowsIn(changes), results.rows(), late);
        }
    }

    private void runSteps(ChangeReader changes, ResultWriter results, ResultFile out) throws IOException {
        while (changes.hasStep()) {
            Long last = lastStep;
            if (last != null && changes.step() <= last) {
                changes.skipStep();
            } else {
                runStep(changes.step(), changes, results, out);
            }
        }
    }

    private void runStep(long step, @Nullable ChangeReader changes, ResultWriter results, ResultFile out)
            throws IOException {
        if (changes != null) {
            changes.readStep();
        }
        broken = true;
        apply(step);
        results.write(step, circuit);
        lastStep = step;
        broken = false;
        steps++;
        progress.step(step, rowsIn(changes), results.rows());
        progress.circuit(circuit, false);
        if (state != null && state.isDue()) {
            commit(out, false);
        }
    }

    private long rowsIn(@Nullable ChangeReader changes) {
        return csvRows + (changes == null ? 0 : changes.rows());
    }

    /** What is wrong with a step ends the run before it; the steps before stay. */
    private void commit(ResultFile out, boolean ends) throws IOException {
        if (state != null && !broken) {
            out.sync();
            state.commit(lastStep, out.bytes(), ends, circuit);
        }
    }

    private long readFiles() throws IOException {
        long rows = 0;
        for (Map.Entry<String, Path> file : options.tables().entrySet()) {
            TableRows table = tables.get(file.getKey().toLowerCase(Locale.ROOT));
            if (table == null) {
                throw new InputException("There is no table '" + file.getKey() + "' for " + file.getValue()
                        + "; the tables are " + tables.keySet());
            }
            if (!Files.isReadable(file.getValue())) {
                throw new InputException("Can not read " + file.getValue());
            }
            rows += CsvReader.read(file.getValue(), table);
        }
        return rows;
    }

    private void apply(long step) {
        try {
            circuit.step();
        } catch (StepRejectedException e) {
            broken = false;
            throw new InputException("Step " + step + " is refused: " + e.getMessage(), e);
        } catch (StepFailedException e) {
            throw new InputException("Step " + step + " can not be computed: " + e.getMessage(), e);
        }
    }
}
