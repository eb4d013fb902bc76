/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/** An input that brings rows by itself, as the configuration of the cluster names it. */
public sealed interface InputSource {

    /** Its name among the inputs of the circuit. */
    String name();

    /**
     * One row for each interval, with the time at which it begins.
     *
     * @param name of the table
     */
    record Clock(String name, long intervalMillis) implements InputSource {}
}
