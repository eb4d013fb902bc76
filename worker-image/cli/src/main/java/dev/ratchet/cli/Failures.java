/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.NotSerializableTaskException;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.TaskFailedException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** What a command ends with when it fails: one line, and the trace of the worker where users' code has failed there. */
final class Failures {

    private Failures() {}

    static int handle(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        int code =
                switch (failure) {
                    case InvalidInputException badInput -> badInput(err, badInput);
                    case NotSerializableTaskException badInput -> badInput(err, badInput);
                    case TaskFailedException failed -> {
                        line(err, failed);
                        err.println(failed.remoteStackTrace().stripTrailing());
                        yield CommandLine.ExitCode.SOFTWARE;
                    }
                    case RatchetException other -> {
                        line(err, other);
                        yield CommandLine.ExitCode.SOFTWARE;
                    }
                    default -> {
                        failure.printStackTrace(err);
                        yield CommandLine.ExitCode.SOFTWARE;
                    }
                };
        err.flush();
        return code;
    }

    private static int badInput(PrintWriter err, RatchetException failure) {
        line(err, failure);
        return CommandLine.ExitCode.USAGE;
    }

    private static void line(PrintWriter err, RatchetException failure) {
        err.println("ratchet: " + String.valueOf(failure.getMessage()).replaceAll("\\s*\\R\\s*", " "));
    }
}
