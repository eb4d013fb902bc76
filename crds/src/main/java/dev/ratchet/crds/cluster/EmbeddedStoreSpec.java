/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.UPGRADE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.jspecify.annotations.Nullable;

/** The pod &lt;cluster&gt;-store-0 that runs the embedded store. */
@ValidationRule(
        value = "has(self.storage) == has(oldSelf.storage)",
        message = "storage can not be added or removed; create a new cluster instead")
public final class EmbeddedStoreSpec extends Part {
    @JsonPropertyDescription("Volume of the store. Absent: the data lives only as long as the pod.")
    public @Nullable StorageSpec storage;

    @JsonPropertyDescription("Compute resources of the store container.")
    @OnChange(UPGRADE)
    public ContainerResources resources = new ContainerResources();

    @JsonPropertyDescription("Merged into the store pod, containers by name. The container store is ours: its command, "
            + "ports, mounts and variables are reserved.")
    @OnChange(UPGRADE)
    public @Nullable PodTemplateSpec podTemplate;
}
