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

    /**
     * The events of the Nexmark benchmark, in their order, for the tables person, auction and bid.
     *
     * @param name not of a table
     * @param eventsPerSecond at most
     * @param seed that events are made of, with their numbers
     * @param events after which it ends; 0: never
     */
    record Nexmark(String name, long eventsPerSecond, long seed, long events) implements InputSource {}

    /**
     * The rows of the files of a folder, each file once.
     *
     * @param name of the table
     * @param folder where this process finds it
     * @param periodMillis after which the folder is looked at again
     */
    record Files(String name, String folder, long periodMillis) implements InputSource {}
}
