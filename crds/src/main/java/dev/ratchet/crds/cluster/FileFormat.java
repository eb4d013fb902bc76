/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How rows are written to files. */
public enum FileFormat {
    /** A JSON object for each row, one in a line. */
    @JsonProperty("Ndjson")
    NDJSON,

    /** Comma-separated values with a line of column names. */
    @JsonProperty("Csv")
    CSV
}
