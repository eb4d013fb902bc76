/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;

/** The last committed checkpoint of the circuit. */
public final class CheckpointSummary extends Part {
    @JsonPropertyDescription("Version of the state.")
    public long version;

    @JsonPropertyDescription("Step of the circuit at the commit.")
    public long step;

    @JsonPropertyDescription("When the operator first saw it, such as 2026-01-31T09:00:00Z.")
    @Size(max = 40)
    @Pattern(Patterns.OPTIONAL_TIME)
    public String time = "";
}
