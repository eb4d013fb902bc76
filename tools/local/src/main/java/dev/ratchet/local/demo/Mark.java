/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.demo;

import dev.ratchet.local.environment.EnvironmentException;

/**
 * What happens at one pause of the program.
 *
 * @param before done while the program waits
 * @param after done as soon as it may go on: by the time it prints a line, all its futures may be done
 */
record Mark(Step before, Step after) {

    /** Something that happens to the cluster. */
    @FunctionalInterface
    interface Step {
        void run() throws EnvironmentException;
    }
}
