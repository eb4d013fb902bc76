/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/** What a program is made from. */
public sealed interface ProgramSource {

    /** A text in SQL. */
    record Sql(String text) implements ProgramSource {}

    /**
     * A class of a jar that the cluster has, which implements {@link dev.ratchet.circuits.builder.CircuitProgram}.
     *
     * @param jar SHA-256 of the jar, 64 digits in hexadecimal
     * @param className full name
     */
    record OfClass(String jar, String className) implements ProgramSource {}
}
