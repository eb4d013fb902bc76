/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

/**
 * A program in Java: a public class with a public constructor without parameters, in a jar that a cluster is given.
 * Every worker makes the class and has it build the circuit, and all must build the same one: nothing that it builds
 * may depend on the worker, the time, randomness, or the order of a hash table.
 */
@FunctionalInterface
public interface CircuitProgram {

    /**
     * Declares tables and views. Each function of rows that it gives has a name, such as
     * {@link dev.ratchet.circuits.operator.RowFilter#named}, and tables and views have names of columns. Must return
     * within 30 seconds.
     */
    void build(CircuitBuilder circuit);
}
