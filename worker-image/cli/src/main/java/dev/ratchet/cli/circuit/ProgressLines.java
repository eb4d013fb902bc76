/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import dev.ratchet.circuits.run.CircuitRun;
import dev.ratchet.circuits.run.RunProgress;
import java.io.PrintWriter;
import java.util.Locale;

/** Says how far a run is, at most once a second, and at the end. One thread at a time. */
final class ProgressLines implements RunProgress {

    private static final long INTERVAL_NANOS = 1_000_000_000;

    private final PrintWriter err;
    private final long started = System.nanoTime();
    private long said = started;

    ProgressLines(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void step(long step, long rowsIn, long rowsOut) {
        long now = System.nanoTime();
        if (now - said >= INTERVAL_NANOS) {
            said = now;
            say("step " + step, rowsIn, rowsOut, now);
        }
    }

    void end(CircuitRun.Summary summary) {
        say(summary.steps() + " steps", summary.rowsIn(), summary.rowsOut(), System.nanoTime());
        if (summary.lateRows() > 0) {
            err.println(summary.lateRows() + " rows came later than LATENESS allows and were dropped");
        }
    }

    private void say(String where, long rowsIn, long rowsOut, long now) {
        double seconds = (now - started) / 1e9;
        err.println(String.format(
                Locale.ROOT,
                "%s: %d rows in, %d rows out, %.1f s, %.0f rows/s",
                where,
                rowsIn,
                rowsOut,
                seconds,
                rowsIn / Math.max(seconds, 1e-3)));
        err.flush();
    }
}
