/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.StepFailedException;
import dev.ratchet.circuits.circuit.StepPipeline;
import dev.ratchet.circuits.circuit.StepRejectedException;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.run.CircuitRun.Summary;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Feeds the steps of the input to a circuit and writes what they change. The lines of a step are read while the one
 * before is computed, written and maybe committed; an error ends the run behind all steps before the one that has it.
 * One use by one thread.
 */
final class RunLoop {

    private final RunOptions options;
    private final SqlProgram program;
    private final Circuit circuit;
    private final @Nullable RunState state;
    private final RunProgress progress;
    private final Map<String, TextRowReader> tables = new LinkedHashMap<>();
    private @Nullable Long lastBegun;
    private long csvRows;

    /** The last step that is written; what follows is the thread's that runs steps. */
    private @Nullable Long lastStep;

    private long steps;

    /** Whether a step was begun and is not written: operators hold parts of it, so nothing more may be committed. */
    private boolean broken;

    RunLoop(RunOptions options, SqlProgram program, Circuit circuit, @Nullable RunState state, RunProgress progress) {
        this.options = options;
        this.program = program;
        this.circuit = circuit;
        this.state = state;
        this.progress = progress;
        for (Relation table : program.tables()) {
            tables.put(table.name().toLowerCase(Locale.ROOT), rowsOf(table));
        }
    }

    private TextRowReader rowsOf(Relation table) {
        TableInput input = circuit.input(table.name());
        return new TextRowReader(table, input, input::add, input.table().upsertKey());
    }

    /**
     * Runs the steps behind one.
     *
     * @param last the last step that the circuit has seen, null for none
     */
    Summary run(@Nullable Long last) throws IOException {
        lastBegun = last;
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
            try (StepPipeline pipeline = new StepPipeline(circuit)) {
                if (last == null) {
                    csvRows = readFiles();
                }
                if (changes != null) {
                    runSteps(changes, pipeline, results, out);
                }
                if (lastBegun == null && (changes == null || csvRows > 0)) {
                    begin(0, csvRows, pipeline, results, out);
                }
                await(pipeline);
            } finally {
                commit(out, true);
                progress.circuit(circuit, true);
            }
            long late = program.tables().stream()
                    .mapToLong(table -> circuit.input(table.name()).lateRows())
                    .sum();
            return new Summary(steps, rowsIn(changes), late, results.errors());
        }
    }

    private void runSteps(ChangeReader changes, StepPipeline pipeline, ResultWriter results, ResultFile out)
            throws IOException {
        while (changes.hasStep()) {
            Long last = lastBegun;
            if (last != null && changes.step() <= last) {
                changes.skipStep();
            } else {
                long step = changes.step();
                try {
                    changes.readStep();
                } finally {
                    await(pipeline);
                }
                begin(step, rowsIn(changes), pipeline, results, out);
            }
        }
    }

    private void begin(long step, long rowsIn, StepPipeline pipeline, ResultWriter results, ResultFile out) {
        lastBegun = step;
        broken = true;
        pipeline.begin(() -> {
            try {
                computed(step, rowsIn, results, out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private void computed(long step, long rowsIn, ResultWriter results, ResultFile out) throws IOException {
        results.write(step, circuit);
        lastStep = step;
        broken = false;
        steps++;
        progress.step(step, rowsIn, results.rows());
        progress.circuit(circuit, false);
        if (state != null && state.isDue()) {
            commit(out, false);
        }
    }

    /** Waits for the step that was begun last. */
    private void await(StepPipeline pipeline) throws IOException {
        try {
            pipeline.await();
        } catch (StepRejectedException e) {
            broken = false;
            throw new InputException("Step " + lastBegun + " is refused: " + e.getMessage() + linesOf(e), e);
        } catch (StepFailedException e) {
            throw new InputException("Step " + lastBegun + " can not be computed: " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private String linesOf(StepRejectedException rejected) {
        boolean fromFiles = steps == 0 && csvRows > 0;
        return new KeyLines(program.tables(), rejected)
                .in(fromFiles ? options.tables() : Map.of(), options.in(), Objects.requireNonNull(lastBegun));
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
            TextRowReader table = tables.get(file.getKey().toLowerCase(Locale.ROOT));
            if (table == null) {
                throw new InputException("There is no table '" + file.getKey() + "' for " + file.getValue()
                        + "; the tables are " + tables.keySet());
            }
            if (!Files.isReadable(file.getValue())) {
                throw new InputException("Can not read " + file.getValue());
            }
            try (CsvReader reader = new CsvReader(file.getValue())) {
                rows += reader.readAll(table);
            }
        }
        return rows;
    }
}
