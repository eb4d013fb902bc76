/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

/**
 * What one operator did in all worker threads since the circuit was made.
 *
 * @param id stable over restarts and over changes elsewhere in the program
 * @param description what it does, for people: {@link Node#text}
 * @param evaluations times it had anything to do, over all worker threads
 * @param rows of its output
 * @param bytes of its output
 * @param nanos spent in it, over all worker threads
 * @param seeks in single batches of what is remembered, and rows read near changes by windows, over all worker threads
 * @param stateRows that it remembers, rows that cancel each other and are not merged yet included
 * @param stateBytes of these rows, in memory and in files
 * @param memoryBytes of them, those in memory
 */
public record OperatorMetrics(
        String id,
        String kind,
        String description,
        long evaluations,
        long rows,
        long bytes,
        long nanos,
        long seeks,
        long stateRows,
        long stateBytes,
        long memoryBytes) {}
