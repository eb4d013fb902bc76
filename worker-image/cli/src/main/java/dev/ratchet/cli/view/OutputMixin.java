/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.view;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command shows its answer, and whether it goes on with what changes. */
public final class OutputMixin {

    /** Nothing is asked for more often. */
    public static final long WATCH_MILLIS_MIN = 1_000;

    /** Asks for what is shown, which may take a while. */
    public interface Look {
        View view() throws InterruptedException;
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json or yaml (default: text)")
    private Format format = Format.text;

    @Option(
            names = {"-w", "--watch"},
            description = "go on with each change, until interrupted")
    private boolean watch;

    /** Shows a view, and with {@code --watch} what changes from look to look. */
    public void show(Look look) throws InterruptedException {
        show(look, WATCH_MILLIS_MIN);
    }

    /** The same, with a look each {@code millis}, at least {@link #WATCH_MILLIS_MIN}. */
    public void show(Look look, long millis) throws InterruptedException {
        PrintWriter out = command.commandLine().getOut();
        View view = look.view();
        Changes changes = new Changes(format);
        if (watch) {
            changes.print(view, out);
            out.flush();
        } else {
            view.print(format, out);
        }
        String note = view.note();
        if (note != null) {
            // Where no script that reads the answer sees it.
            command.commandLine().getErr().println(note);
            command.commandLine().getErr().flush();
        }
        while (watch) {
            TimeUnit.MILLISECONDS.sleep(Math.max(WATCH_MILLIS_MIN, millis));
            changes.print(look.view(), out);
            out.flush();
            if (out.checkError()) {
                return;
            }
        }
    }
}
