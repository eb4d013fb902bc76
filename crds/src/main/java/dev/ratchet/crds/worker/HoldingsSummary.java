/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.worker;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;

/** What a worker holds and nobody else has. */
public final class HoldingsSummary extends Part {
    @JsonPropertyDescription("Futures claimed.")
    public int futures;

    @JsonPropertyDescription("Results whose only copy is here.")
    public long objects;

    @JsonPropertyDescription("Actors.")
    public int actors;

    @JsonPropertyDescription("Sessions.")
    public int sessions;
}
