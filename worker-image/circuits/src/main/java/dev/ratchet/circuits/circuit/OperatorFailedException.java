/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.List;

/**
 * An operator ended a step in a way that no row stands for: a recursion of a function without end, a class that is
 * missing, a limit of a batch, a defect. It may not happen again. Says which operator it was and which views read it.
 * The circuit has ended, to be opened again from its last committed state.
 */
public final class OperatorFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    OperatorFailedException(Node node, List<String> views, Throwable cause) {
        super(StepFailedException.message(cause.toString(), node, views, ""), cause);
    }
}
