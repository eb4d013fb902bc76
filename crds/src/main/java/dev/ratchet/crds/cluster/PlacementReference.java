/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;

/** A ComputeLayout that a person wrote, in the namespace of the cluster. */
public final class PlacementReference extends Part {
    @JsonPropertyDescription("Name of the ComputeLayout, such as orders-by-hand; empty: the operator decides.")
    @Size(max = 253)
    @Pattern(Patterns.OPTIONAL_OBJECT_NAME)
    public String name = "";
}
