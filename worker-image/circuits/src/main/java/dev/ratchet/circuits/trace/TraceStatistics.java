/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

/**
 * What a trace holds and what it did so far.
 *
 * @param rows stored or held back in front of it, rows that cancel each other in different batches included
 * @param memoryBytes of batches in memory, and of what is held in front of them
 * @param storedBytes of batches in files
 * @param rowsMerged written by merges since the trace was made
 */
public record TraceStatistics(long rows, long memoryBytes, long storedBytes, long rowsMerged) {}
