/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

/** What becomes of a program when there is a row that it can not compute. */
public enum OnError {
    /** The row is left out, and {@link StepErrors} has one for it. */
    COLLECT,

    /** The step fails before any of its output is there, and the circuit ends. */
    STOP
}
