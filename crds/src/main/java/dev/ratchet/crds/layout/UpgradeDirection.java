/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which way an upgrade goes. */
public enum UpgradeDirection {
    /** Towards the accepted spec. */
    @JsonProperty("Forward")
    FORWARD,

    /** To what ran before it. */
    @JsonProperty("Back")
    BACK
}
