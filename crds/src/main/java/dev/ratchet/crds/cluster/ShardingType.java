/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the number of shards is chosen. */
public enum ShardingType {
    /** It follows the number of workers. */
    @JsonProperty("Dynamic")
    DYNAMIC,

    /** It is set. */
    @JsonProperty("Fixed")
    FIXED
}
