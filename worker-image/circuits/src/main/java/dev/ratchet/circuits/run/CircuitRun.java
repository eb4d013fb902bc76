/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.StepRejectedException;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlException;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One run of an SQL program over files. Steps of the input are run in order; numbers between them are steps without
 * changes and cost nothing. Where something is wrong the run ends before the step that has it is applied: the output
 * holds all steps before it, whole.
 */
public final class CircuitRun {

    /** What a run has done. */
    public record Summary(long steps, long rowsIn, long rowsOut, long lateRows) {}

    private final RunOptions options;
    private final RunProgress progress;

    public CircuitRun(RunOptions options, RunProgress progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Runs to the end of the input.
     *
     * @throws InputException where the program, the input or the circuit refuses something
     */
    public Summary run() throws IOException {
        try (URLClassLoader functions = new URLClassLoader(jars(), CircuitRun.class.getClassLoader())) {
            SqlProgram program = compile(options.program(), functions);
            try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(options.threads()))) {
                return run(program, circuit);
            }
        }
    }

    private URL[] jars() throws MalformedURLException {
        URL[] urls = new URL[options.jars().size()];
        for (int i = 0; i < urls.length; i++) {
            if (!Files.isReadable(options.jars().get(i))) {
                throw new InputException(
                        "Can not read the jar " + options.jars().get(i));
            }
            urls[i] = options.jars().get(i).toUri().toURL();
        }
        return urls;
    }

    /**
     * Compiles the program in a file.
     *
     * @throws InputException with file, line and column where it has a mistake
     */
    public static SqlProgram compile(Path file, ClassLoader functions) throws IOException {
        if (!Files.isReadable(file)) {
            throw new InputException("Can not read the program " + file);
        }
        try {
            return SqlProgram.compile(Files.readString(file), functions);
        } catch (SqlException e) {
            throw new InputException(file + " " + e.getMessage(), e);
        } catch (CharacterCodingException e) {
            throw new InputException(file + " is not UTF-8 text", e);
        }
    }

    private Summary run(SqlProgram program, Circuit circuit) throws IOException {
        Map<String, TableRows> tables = new LinkedHashMap<>();
        for (Relation table : program.tables()) {
            tables.put(table.name().toLowerCase(Locale.ROOT), new TableRows(table, circuit.input(table.name())));
        }
        Path in = options.in();
        try (OutputStream out = output();
                ChangeReader changes = in == null ? null : new ChangeReader(in, tables)) {
            ResultWriter results = new ResultWriter(program.views(), out);
            long csvRows = readFiles(tables);
            long steps = 0;
            boolean hasStep = changes == null ? !options.tables().isEmpty() : changes.hasStep();
            while (hasStep) {
                long step = changes == null ? 0 : changes.step();
                if (changes != null) {
                    changes.readStep();
                }
                step(circuit, step);
                results.write(step, circuit);
                steps++;
                progress.step(step, csvRows + (changes == null ? 0 : changes.rows()), results.rows());
                hasStep = changes != null && changes.hasStep();
            }
            long late = program.tables().stream()
                    .mapToLong(table -> circuit.input(table.name()).lateRows())
                    .sum();
            return new Summary(steps, csvRows + (changes == null ? 0 : changes.rows()), results.rows(), late);
        }
    }

    private OutputStream output() {
        try {
            return Files.newOutputStream(options.out());
        } catch (IOException e) {
            throw new InputException("Can not write " + options.out() + ": " + e, e);
        }
    }

    private long readFiles(Map<String, TableRows> tables) throws IOException {
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

    private static void step(Circuit circuit, long step) {
        try {
            circuit.step();
        } catch (StepRejectedException e) {
            throw new InputException("Step " + step + " is refused: " + e.getMessage(), e);
        } catch (ArithmeticException e) {
            throw new InputException("Step " + step + " can not be computed: " + e.getMessage(), e);
        }
    }
}
