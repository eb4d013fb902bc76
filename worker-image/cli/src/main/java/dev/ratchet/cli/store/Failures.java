/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.FDBException;
import dev.ratchet.store.foundationdb.FoundationDbException;
import dev.ratchet.store.keyspace.WrongStoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;

/** Turns what goes wrong into one line and an exit code: 2 where the caller can change it, 1 otherwise. */
final class Failures {

    /** What a command does; returns its exit code. */
    @FunctionalInterface
    interface Action {
        int run() throws IOException, InterruptedException;
    }

    private static final int BAD_INPUT = 2;
    private static final int FAILED = 1;
    /** FoundationDB's code for a transaction that ran into its timeout. */
    private static final int TIMED_OUT = 1031;

    private Failures() {}

    static int report(PrintWriter err, Action action) {
        try {
            return action.run();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return FAILED;
        } catch (IOException | RuntimeException failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            boolean badInput = cause instanceof IllegalArgumentException
                    || cause instanceof FoundationDbException
                    || cause instanceof WrongStoreException
                    || cause instanceof UncheckedIOException;
            err.println("ratchet: " + describe(cause));
            err.flush();
            return badInput ? BAD_INPUT : FAILED;
        }
    }

    private static String describe(Throwable cause) {
        String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        if (!(cause instanceof FDBException known)) {
            return message;
        }
        return known.getCode() == TIMED_OUT
                ? "The store did not answer in time: is it running, and does cluster.json name its address? (code 1031)"
                : message + " (code " + known.getCode() + ")";
    }
}
