/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a run was given can not be used: which file and line, what is wrong, and what would be right. */
public final class InputException extends RuntimeException {

    private final String reason;

    public InputException(String message) {
        super(message);
        this.reason = message;
    }

    public InputException(String message, Throwable cause) {
        super(message, cause);
        this.reason = message;
    }

    private InputException(String place, String reason) {
        super(place + ": " + reason);
        this.reason = reason;
    }

    /** What is wrong, without the place. */
    String reason() {
        return reason;
    }

    /** About one line of a file, counted from 1. */
    static InputException at(Path file, long line, String message, @Nullable Throwable cause) {
        InputException exception = new InputException(file + " line " + line, message);
        if (cause != null) {
            exception.initCause(cause);
        }
        return exception;
    }
}
