/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a client may do. */
public enum ClientAccessRole {
    /** All that clients can do, in the name of every tenant. */
    @JsonProperty("Admin")
    ADMIN,

    /** Submit in the name of the tenant that is called as the client is, and change what belongs to that. */
    @JsonProperty("Submit")
    SUBMIT,

    /** Look at everything, and change nothing. */
    @JsonProperty("Read")
    READ
}
