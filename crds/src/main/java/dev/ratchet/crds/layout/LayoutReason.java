/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Why a layout changes. */
public enum LayoutReason {
    /** The first layout of a cluster. */
    @JsonProperty("Initial")
    INITIAL,

    /** More workers. */
    @JsonProperty("ScaleOut")
    SCALE_OUT,

    /** Fewer workers. */
    @JsonProperty("ScaleIn")
    SCALE_IN,

    /** Shares became uneven. */
    @JsonProperty("Rebalance")
    REBALANCE,

    /** Another version, image or pod. */
    @JsonProperty("Upgrade")
    UPGRADE,

    /** A person chose another assignment. */
    @JsonProperty("Placement")
    PLACEMENT,

    /** A worker was lost. */
    @JsonProperty("Recovery")
    RECOVERY
}
