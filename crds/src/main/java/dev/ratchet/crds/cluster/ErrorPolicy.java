/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a circuit does with a row that it can not compute. */
public enum ErrorPolicy {
    /** The row is left out and told in the table of errors. */
    @JsonProperty("Collect")
    COLLECT,

    /** The circuit stops. */
    @JsonProperty("Stop")
    STOP
}
