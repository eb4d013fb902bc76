/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.client.GatewayConnection;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that asks a cluster. Owns the way there: arguments are checked before anything is connected, and whatever
 * was opened is closed when the answer is printed.
 */
abstract class GatewayCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionMixin connection;

    /**
     * Refuses arguments that can not be used.
     *
     * @throws dev.ratchet.client.InvalidInputException which says why
     */
    void check() {}

    /** Refuses an argument that is given and empty, as a variable of a script that is not set leaves it. */
    static void requireValue(String argument, @Nullable String given) {
        if (given != null && given.isEmpty()) {
            boolean isOption = argument.startsWith("-");
            throw new InvalidInputException(
                    argument + " is given without a value. Give one" + (isOption ? ", or leave it out." : "."));
        }
    }

    /** For what is said beside the answer, where no script that reads the answer sees it. */
    final PrintWriter notes() {
        return spec.commandLine().getErr();
    }

    /** Asks, prints the answer and returns the exit code. */
    abstract int ask(GatewayConnection gateway, PrintWriter out) throws IOException, InterruptedException;

    @Override
    public final Integer call() throws IOException, InterruptedException {
        check();
        PrintWriter out = spec.commandLine().getOut();
        try (SystemEnvironment environment = new SystemEnvironment();
                GatewayConnection gateway = connection.open(environment)) {
            return ask(gateway, out);
        } finally {
            out.flush();
        }
    }
}
