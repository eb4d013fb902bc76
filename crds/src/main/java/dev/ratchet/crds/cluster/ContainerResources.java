/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.TreeMap;

/** Compute resources of one container. */
public final class ContainerResources extends Part {
    @JsonPropertyDescription("What the container is guaranteed, by resource name, such as 500m for cpu.")
    @Size(max = 16)
    public Map<String, Quantity> requests = new TreeMap<>();

    @JsonPropertyDescription("What the container may use at most, by resource name, such as 2Gi for memory.")
    @Size(max = 16)
    public Map<String, Quantity> limits = new TreeMap<>();
}
