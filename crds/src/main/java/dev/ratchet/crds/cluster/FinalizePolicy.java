/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When an upgrade raises the formats of what is recorded, so that there is no way back. */
public enum FinalizePolicy {
    /** After the last worker. */
    @JsonProperty("Automatic")
    AUTOMATIC,

    /** When a person says so. */
    @JsonProperty("Manual")
    MANUAL
}
