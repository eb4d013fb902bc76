/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

/** A function that has its name from the author of a program. */
public sealed interface NamedByAuthor permits NamedFilter, NamedMapper, NamedExpander {

    /** What has the name. */
    Object function();

    static void check(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "A function with a blank name; say what it does, and change the name" + " whenever that changes");
        }
    }
}
