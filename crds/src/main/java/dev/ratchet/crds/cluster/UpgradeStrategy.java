/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** In which order workers are replaced by an upgrade. */
public enum UpgradeStrategy {
    /** Add a new worker, then remove an old one. */
    @JsonProperty("SurgeThenRemove")
    SURGE_THEN_REMOVE,

    /** One layout change that moves the shards of an old worker to a new one. */
    @JsonProperty("Replace")
    REPLACE,

    /** All workers in one layout change. */
    @JsonProperty("AllAtOnce")
    ALL_AT_ONCE,

    /** A new process on the same host and volume; no bytes move. */
    @JsonProperty("InPlace")
    IN_PLACE
}
