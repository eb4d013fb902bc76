/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.worker;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * State of a worker as the coordinator last said. A state that this release does not know is read as {@link #UNKNOWN}.
 */
public enum ReportedWorkerState {
    /** The coordinator said nothing about it, or could not be asked. */
    @JsonEnumDefaultValue
    @JsonProperty("Unknown")
    UNKNOWN,

    /** Its process took the seat and is not proved yet. */
    @JsonProperty("New")
    NEW,

    /** It missed a deadline or failed a canary. */
    @JsonProperty("Unhealthy")
    UNHEALTHY,

    /** It takes work. */
    @JsonProperty("Healthy")
    HEALTHY,

    /** It takes no new work. */
    @JsonProperty("Draining")
    DRAINING,

    /** Its lease is over; its process must end. */
    @JsonProperty("MustDie")
    MUST_DIE
}
