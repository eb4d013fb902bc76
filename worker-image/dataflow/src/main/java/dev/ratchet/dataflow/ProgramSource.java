/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.builder.OutputKeys;

/** What a program is made from. */
public sealed interface ProgramSource {

    /** The keys of outputs that are said beside it. */
    OutputKeys outputKeys();

    /** A text in SQL. */
    record Sql(String text, OutputKeys outputKeys) implements ProgramSource {

        /** One that says all itself. */
        public Sql(String text) {
            this(text, OutputKeys.NONE);
        }
    }

    /**
     * A class of a jar that the cluster has, which implements {@link dev.ratchet.circuits.builder.CircuitProgram}.
     *
     * @param jar SHA-256 of the jar, 64 digits in hexadecimal
     * @param className full name
     */
    record OfClass(String jar, String className, OutputKeys outputKeys) implements ProgramSource {

        /** One that says all itself. */
        public OfClass(String jar, String className) {
            this(jar, className, OutputKeys.NONE);
        }
    }
}
