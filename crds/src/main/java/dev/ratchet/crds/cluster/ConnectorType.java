/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Kinds of sources of a circuit. */
public enum ConnectorType {
    /** The time, at an interval. */
    @JsonProperty("Clock")
    CLOCK,

    /** Generated events of the Nexmark benchmark. */
    @JsonProperty("Nexmark")
    NEXMARK,

    /** Files of a folder that the workers mount. */
    @JsonProperty("Files")
    FILES,

    /** A topic of Apache Kafka. */
    @JsonProperty("Kafka")
    KAFKA
}
