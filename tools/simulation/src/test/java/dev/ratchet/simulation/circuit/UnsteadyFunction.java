/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

/** User's functions that break the rule that a result depends on the arguments alone. */
public final class UnsteadyFunction {

    private UnsteadyFunction() {}

    /** Fails, in some processes and threads with another message. */
    public static long failing(long argument) {
        throw new IllegalArgumentException(argument + " of " + of(argument));
    }

    /** The argument, or one more in some processes and threads. */
    public static long of(long argument) {
        return argument + (Thread.currentThread().getName().hashCode() & 1);
    }
}
