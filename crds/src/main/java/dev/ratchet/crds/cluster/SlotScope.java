/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whom a resource slot belongs to. */
public enum SlotScope {
    /** To one worker. */
    @JsonProperty("Worker")
    WORKER,

    /** To a Kubernetes node, shared by its workers. */
    @JsonProperty("Host")
    HOST
}
