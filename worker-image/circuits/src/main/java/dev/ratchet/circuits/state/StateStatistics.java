/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

/**
 * What a database has written since it was opened, and holds.
 *
 * @param rows of all tables
 * @param memoryBytes of rows held in memory
 * @param fileBytes of the files of the last committed version
 * @param changedBytes written by commits for rows that came in
 * @param mergedBytes written for rows that were in files before: by merges, or by commits in place of many pieces
 * @param manifestBytes written for manifests
 */
public record StateStatistics(
        long rows, long memoryBytes, long fileBytes, long changedBytes, long mergedBytes, long manifestBytes) {

    /** All bytes written for each byte that came in; 0 before anything did. */
    public double writeAmplification() {
        return changedBytes == 0 ? 0 : (double) (changedBytes + mergedBytes + manifestBytes) / changedBytes;
    }
}
