/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

/** A user's function that breaks the rule that its result depends on its arguments alone. */
public final class UnsteadyFunction {

    private UnsteadyFunction() {}

    /** The argument, or one more in some processes and threads. */
    public static long of(long argument) {
        return argument + (Thread.currentThread().getName().hashCode() & 1);
    }
}
