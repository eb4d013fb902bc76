/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The kinds of store. */
public enum StoreType {
    /** The engine of Ratchet itself, in one pod with one volume; not replicated. */
    @JsonProperty("Embedded")
    EMBEDDED,

    /** A FoundationDB cluster run by somebody else. */
    @JsonProperty("FoundationDB")
    FOUNDATION_DB
}
