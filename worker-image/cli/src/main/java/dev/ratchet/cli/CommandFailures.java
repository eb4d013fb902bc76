/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.apple.foundationdb.FDBException;
import dev.ratchet.circuits.run.InputException;
import dev.ratchet.cli.view.TerminalText;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.NotSerializableTaskException;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.store.foundationdb.FoundationDbException;
import dev.ratchet.store.keyspace.ValueFormatException;
import dev.ratchet.store.keyspace.WrongStoreException;
import dev.ratchet.store.log.StoreDirectoryException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * What every command ends with when it fails: exit code 2 where the caller can change what was given, 1 otherwise, and
 * one line that says why. Users' code that has failed is told with its stack; so is what no command expects, which is a
 * defect of this program.
 */
final class CommandFailures {

    /** FoundationDB's code for a transaction that ran into its timeout. */
    private static final int TIMED_OUT = 1031;

    private CommandFailures() {}

    static int handle(Exception failure, CommandLine command, ParseResult parsed) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        PrintWriter err = command.getErr();
        String message = describe(cause);
        String remedy = cause instanceof InvalidInputException ? "" : MissingCode.remedy(message);
        err.println("ratchet: " + TerminalText.line(remedy.isEmpty() ? message : message + ". " + remedy));
        if (cause instanceof TaskFailedException task) {
            err.println(TerminalText.lines(task.remoteStackTrace()).stripTrailing());
        } else if (cause instanceof ProgramFailedException program) {
            program.thrown().printStackTrace(err);
        } else if (!isExpected(cause)) {
            cause.printStackTrace(err);
        }
        err.flush();
        return isBadInput(cause) ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    private static boolean isBadInput(Throwable cause) {
        return cause instanceof InvalidInputException
                || cause instanceof NotSerializableTaskException
                || cause instanceof InputException
                || cause instanceof IllegalArgumentException
                || cause instanceof FoundationDbException
                || cause instanceof WrongStoreException;
    }

    private static boolean isExpected(Throwable cause) {
        return isBadInput(cause)
                || cause instanceof RatchetException
                || cause instanceof StoreDirectoryException
                || cause instanceof ValueFormatException
                || cause instanceof FDBException
                || cause instanceof IOException
                || cause instanceof UncheckedIOException
                || cause instanceof InterruptedException;
    }

    private static String describe(Throwable cause) {
        return switch (cause) {
            case FDBException timeout
            when timeout.getCode() == TIMED_OUT ->
                "The store did not answer in time: is it running, and does cluster.json name its address? (code 1031)";
            case FDBException known -> known.getMessage() + " (code " + known.getCode() + ")";
            case NoSuchFileException file -> "There is no file " + file.getFile() + ".";
            case AccessDeniedException file -> "This user may not open " + file.getFile() + ".";
            case FileSystemException file when file.getReason() == null -> file.toString();
            case InterruptedException unused -> "Interrupted.";
            default -> cause.getMessage() == null ? cause.toString() : cause.getMessage();
        };
    }
}
