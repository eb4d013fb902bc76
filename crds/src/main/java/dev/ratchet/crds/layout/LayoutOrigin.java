/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who wrote a layout. */
public enum LayoutOrigin {
    /** The operator. */
    @JsonProperty("Operator")
    OPERATOR,

    /** A person. */
    @JsonProperty("User")
    USER
}
