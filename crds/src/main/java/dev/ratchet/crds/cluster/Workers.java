/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.LAYOUT;
import static dev.ratchet.crds.schema.ChangeImpact.LIVE;
import static dev.ratchet.crds.schema.ChangeImpact.UPGRADE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.ListMapKey;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pool of workers named w. */
@ValidationRule(
        value = "has(self.storage) == has(oldSelf.storage)",
        message = "storage can not be added or removed; create a new cluster instead")
public final class Workers extends Part {
    @JsonPropertyDescription("Number of workers wanted. kubectl scale and a HorizontalPodAutoscaler change it.")
    @OnChange(LAYOUT)
    @SpecReplicas
    @Min(0)
    @Max(1000)
    public int replicas = 1;

    @JsonPropertyDescription("Threads of each worker: circuit threads, and as many futures that run at the same time.")
    @OnChange(UPGRADE)
    @Min(1)
    @Max(1024)
    public int threads = 1;

    @JsonPropertyDescription("Compute resources of the worker container.")
    @OnChange(UPGRADE)
    public ContainerResources resources = new ContainerResources();

    @JsonPropertyDescription("Named things that sessions hold, such as GPUs.")
    @OnChange(LIVE)
    @ListMapKey("name")
    @Size(max = 16)
    public List<ResourceSlot> slots = new ArrayList<>();

    @JsonPropertyDescription("Sessions of a worker that name no slot; 0: none may. Absent: 1000.")
    @OnChange(LIVE)
    @Min(0)
    @Max(100_000)
    public @Nullable Integer sessions;

    @JsonPropertyDescription("Where a worker keeps the results of its futures.")
    @OnChange(UPGRADE)
    public ObjectStoreSpec objectStore = new ObjectStoreSpec();

    @JsonPropertyDescription("Volume of each worker. Absent: an emptyDir.")
    public @Nullable StorageSpec storage;

    @JsonPropertyDescription("What becomes of the volumes of workers that go.")
    @OnChange(LIVE)
    public VolumeRetention volumeRetention = new VolumeRetention();

    @JsonPropertyDescription(
            "How long a leaving worker may finish what it runs, in milliseconds; then futures are given back.")
    @OnChange(LIVE)
    @Min(0)
    @Max(86_400_000)
    public long drainTimeoutMillis = 600_000;

    @JsonPropertyDescription(
            "Merged into the worker pods, containers by name. The container worker is ours: its command, "
                    + "ports, mounts and variables are reserved.")
    @OnChange(UPGRADE)
    public @Nullable PodTemplateSpec podTemplate;
}
