/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a circuit program is written. */
public enum CircuitType {
    /** As SQL text. */
    @JsonProperty("SQL")
    SQL,

    /** As a Java class. */
    @JsonProperty("Class")
    CLASS
}
