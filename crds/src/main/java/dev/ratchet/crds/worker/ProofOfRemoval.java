/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.worker;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;

/** What the coordinator knew when it said that a seat can be removed; the proof counts for nothing else. */
public final class ProofOfRemoval extends Part {
    @JsonPropertyDescription("Epoch of the layout in force, which lacks the seat.")
    public long epoch;

    @JsonPropertyDescription("Term of the coordinator that said so; 0: no process of the cluster ever ran.")
    public long term;

    @JsonPropertyDescription("Incarnation of the seat that holds nothing; 0: the seat was never taken.")
    public long incarnation;
}
