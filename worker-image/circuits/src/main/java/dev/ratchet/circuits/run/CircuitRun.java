/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.batch.CorruptBatchException;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.sql.RepeatedKeys;
import dev.ratchet.circuits.sql.SqlException;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.state.CorruptStateException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of an SQL program over files. Steps of the input are run in order; numbers between them are steps without
 * changes and cost nothing. Where something is wrong the run ends before the step that has it is applied: the output
 * holds all steps before it, whole.
 */
public final class CircuitRun {

    /**
     * What a run has done.
     *
     * @param errors how many more rows can not be computed than before the run, under 0 where there are fewer
     */
    public record Summary(long steps, long rowsIn, long lateRows, long errors) {}

    /** What editors may write in front of text as UTF-8. */
    private static final String MARK = "\uFEFF";

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
        spareInputs();
        try (URLClassLoader functions = functions(options.jars())) {
            SqlProgram program = compile(options.program(), functions, RepeatedKeys.REFUSED);
            if (program.views().isEmpty() && program.explained().isEmpty()) {
                throw new InputException(
                        options.program() + " creates no view that would be written; add CREATE VIEW name AS query");
            }
            progress.compiled(program);
            RunOptions.Kept kept = options.kept();
            try (RunState state = kept == null ? null : new RunState(kept, program, options.threads())) {
                return run(program, state);
            } catch (CorruptStateException | CorruptBatchException | IllegalStateException e) {
                throw new InputException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    /** The output is overwritten from its start, which must not be what is read. */
    private void spareInputs() throws IOException {
        List<Path> read = new ArrayList<>(options.tables().values());
        read.add(options.program());
        Path in = options.in();
        if (in != null) {
            read.add(in);
        }
        for (Path file : read) {
            if (Files.isRegularFile(file) && Files.exists(options.out()) && Files.isSameFile(file, options.out())) {
                throw new InputException("The output would overwrite " + file + ", which is read; name another file");
            }
        }
    }

    /** The classes in some jars, behind those of this process. */
    private static URLClassLoader functions(List<Path> jars) throws MalformedURLException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            if (!Files.isReadable(jars.get(i))) {
                throw new InputException("Can not read the jar " + jars.get(i));
            }
            urls[i] = jars.get(i).toUri().toURL();
        }
        return new URLClassLoader(urls, CircuitRun.class.getClassLoader());
    }

    /**
     * Compiles the program in a file.
     *
     * @param jars with the classes of its functions
     * @throws InputException with file, line and column where it has a mistake
     */
    public static SqlProgram compile(Path file, List<Path> jars, RepeatedKeys repeated) throws IOException {
        try (URLClassLoader functions = functions(jars)) {
            return compile(file, functions, repeated);
        }
    }

    private static SqlProgram compile(Path file, ClassLoader functions, RepeatedKeys repeated) throws IOException {
        if (!Files.isReadable(file)) {
            throw new InputException("Can not read the program " + file);
        }
        try {
            String text = Files.readString(file);
            return SqlProgram.compile(
                    text.startsWith(MARK) ? text.substring(MARK.length()) : text, functions, repeated);
        } catch (SqlException e) {
            throw new InputException(file + " " + e.getMessage(), e);
        } catch (CharacterCodingException e) {
            throw new InputException(file + " is not UTF-8 text", e);
        }
    }

    private Summary run(SqlProgram program, @Nullable RunState state) throws IOException {
        Long last = state == null ? null : state.lastStep();
        CircuitOptions circuitOptions =
                CircuitOptions.inMemory(options.threads()).withOnError(options.onError());
        if (state != null) {
            circuitOptions = circuitOptions.withState(state.open());
        }
        try (Circuit circuit = new Circuit(program.plan(), circuitOptions)) {
            return new RunLoop(options, program, circuit, state, progress).run(last);
        }
    }
}
