/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

/** The input of a step contradicts what a table promises; nothing of the step was applied and the circuit goes on. */
public final class StepRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String table;

    public StepRejectedException(String table, String message) {
        super(message);
        this.table = table;
    }

    /** The table whose input it was. */
    public String table() {
        return table;
    }
}
