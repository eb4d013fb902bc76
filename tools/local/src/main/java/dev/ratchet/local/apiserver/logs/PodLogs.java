/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.logs;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Where the server gets the text of {@code kubectl logs} from. The server has checked that the pod exists and has
 * chosen the container; whoever runs the processes writes the bytes. Called on a thread of the request, so an
 * implementation may block.
 */
@FunctionalInterface
public interface PodLogs {

    /**
     * Writes the log that is asked for and returns at its end, or, when {@link LogRequest#follow()} is set, when the
     * container has ended for good. The implementation flushes {@code sink} whenever it wants the reader to see what it
     * wrote.
     *
     * @throws IOException when the reader has gone ({@code sink} throws it) or the log can not be read
     * @throws LogNotAvailableException when there is no such log; nothing may have been written yet
     */
    void write(LogRequest request, OutputStream sink) throws IOException, LogNotAvailableException;

    /**
     * There is no such log, for example of a previous run of a container that never restarted; the message is shown to
     * the user.
     */
    final class LogNotAvailableException extends Exception {
        private static final long serialVersionUID = 1L;

        public LogNotAvailableException(String message) {
            super(message);
        }
    }
}
