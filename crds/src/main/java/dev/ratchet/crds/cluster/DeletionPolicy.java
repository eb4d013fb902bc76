/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of data when the cluster that made it is deleted. */
public enum DeletionPolicy {
    /** Volumes and the subspace in the store are removed. */
    @JsonProperty("Delete")
    DELETE,

    /** Volumes and the subspace in the store stay. */
    @JsonProperty("Retain")
    RETAIN
}
