/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Kinds of sinks of a circuit. */
public enum OutputType {
    /** A topic of Apache Kafka. */
    @JsonProperty("Kafka")
    KAFKA,

    /** Readers that connect to the workers. */
    @JsonProperty("Http")
    HTTP,

    /** Files of a folder that the workers mount. */
    @JsonProperty("Files")
    FILES
}
