/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/** How the rows of a request are written. */
public enum RowFormat {
    /**
     * One JSON object per line; with {@code {"insert": …}} or {@code {"delete": …}} as lines of {@code circuit run}.
     */
    NDJSON,
    /** Comma-separated values with a line of column names. */
    CSV
}
