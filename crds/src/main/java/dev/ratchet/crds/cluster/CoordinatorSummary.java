/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;

/** Who coordinates a cluster. */
public final class CoordinatorSummary extends Part {
    @JsonPropertyDescription("Seat of the coordinator.")
    @Size(max = 63)
    public String seat = "";

    @JsonPropertyDescription("Its term.")
    public long term;
}
