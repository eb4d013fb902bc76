/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.run.CircuitRun;
import dev.ratchet.circuits.run.RunProgress;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Says what the program asks to have explained and, where that is wanted, how far a run is: at most once a second, and
 * at the end; draws it where a file for that is given. One thread at a time.
 */
final class ProgressLines implements RunProgress {

    private static final long INTERVAL_NANOS = 1_000_000_000;

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean wanted;
    private final @Nullable PictureFile picture;
    private final long started = System.nanoTime();
    private long said = started;
    private @Nullable Long step;
    private long rowsIn;
    private long rowsOut;

    ProgressLines(PrintWriter out, PrintWriter err, boolean wanted, @Nullable PictureFile picture) {
        this.out = out;
        this.err = err;
        this.wanted = wanted;
        this.picture = picture;
    }

    @Override
    public void compiled(SqlProgram program) {
        out.print(program.explained());
        out.flush();
    }

    @Override
    public void step(long number, long rowsRead, long rowsWritten) {
        step = number;
        rowsIn = rowsRead;
        rowsOut = rowsWritten;
    }

    @Override
    public void circuit(Circuit circuit, boolean ends) {
        long now = System.nanoTime();
        if (wanted && (ends || now - said >= INTERVAL_NANOS)) {
            said = now;
            say(circuit, now);
        }
        if (picture != null) {
            picture.draw(circuit, ends);
        }
    }

    /** @param results where the changes of views are */
    void end(CircuitRun.Summary summary, Path results) {
        if (wanted) {
            err.println("end: " + summary.steps() + " steps");
        }
        if (summary.lateRows() > 0) {
            err.println("ratchet: " + summary.lateRows() + " rows came later than LATENESS allows and were dropped");
        }
        if (summary.errors() > 0) {
            err.println("ratchet: " + summary.errors()
                    + " rows could not be computed and are left out; the view errors in " + results + " says why");
        }
    }

    private void say(Circuit circuit, long now) {
        double seconds = (now - started) / 1e9;
        long stateBytes = 0;
        long memoryBytes = 0;
        for (OperatorMetrics operator : circuit.metrics()) {
            stateBytes += operator.stateBytes();
            memoryBytes += operator.memoryBytes();
        }
        err.println(String.format(
                Locale.ROOT,
                "step %s: %d rows in, %d rows out, %.1f s, %.0f rows/s, state %.1f MB, %.1f MB of it in memory",
                step == null ? "none" : step,
                rowsIn,
                rowsOut,
                seconds,
                rowsIn / Math.max(seconds, 1e-3),
                stateBytes / 1e6,
                memoryBytes / 1e6));
        err.flush();
    }
}
