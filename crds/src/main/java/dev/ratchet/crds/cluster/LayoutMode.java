/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How state moves from one layout to the next. */
public enum LayoutMode {
    /** While the circuit runs, with a pause that does not depend on the size of the state. */
    @JsonProperty("Hot")
    HOT,

    /** From a checkpoint, while the circuit is stopped. */
    @JsonProperty("Cold")
    COLD
}
