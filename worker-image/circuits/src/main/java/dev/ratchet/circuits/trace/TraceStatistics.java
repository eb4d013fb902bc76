/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

/**
 * What a trace holds and what it did so far.
 *
 * @param rows stored or held back in front of it, rows that cancel each other in different batches included
 * @param batches among which they are spread
 * @param memoryBytes of batches in memory, and of what is held in front of them
 * @param storedBytes of batches in files
 * @param rowsInserted since the trace was made
 * @param rowsMerged written by merges since then
 * @param bytesSpilled written to files by merges since then
 */
public record TraceStatistics(
        long rows,
        int batches,
        long memoryBytes,
        long storedBytes,
        long rowsInserted,
        long rowsMerged,
        long bytesSpilled) {}
