/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.ListMapKey;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator last observed of a cluster; it can be computed again from what exists. */
@JsonClassDescription("What the operator last observed of the cluster.")
public final class ComputeClusterStatus extends Part {
    @JsonPropertyDescription("Generation of the spec that this status is about.")
    public long observedGeneration;

    @JsonPropertyDescription(
            "Accepted, Ready, Progressing, Degraded, LayoutStable and UpgradeBlocked; with a circuit CircuitRunning "
                    + "and StateNotDurable; SessionsBlocked while sessions wait for slots that no worker has; "
                    + "CleanupBlocked while it is deleted.")
    @ListMapKey("type")
    @Size(max = 32)
    public List<Condition> conditions = new ArrayList<>();

    @JsonPropertyDescription("Generation of the last spec that was accepted; it is what runs.")
    public long acceptedGeneration;

    @JsonPropertyDescription("ControllerRevision that keeps the last accepted spec.")
    @Size(max = 253)
    public String acceptedRevision = "";

    @JsonPropertyDescription("Revision that all workers had last, a ControllerRevision that keeps the pod template.")
    @Size(max = 253)
    public String currentRevision = "";

    @JsonPropertyDescription("Revision that the accepted spec asks for; another one while an upgrade is under way.")
    @Size(max = 253)
    public String updateRevision = "";

    @JsonPropertyDescription("Workers whose pod is of the revision that the spec asks for.")
    public int updatedReplicas;

    @JsonPropertyDescription("Seats that exist.")
    @StatusReplicas
    public int replicas;

    @JsonPropertyDescription("Workers that take work.")
    public int readyReplicas;

    @JsonPropertyDescription("Label selector of the worker pods, for autoscalers.")
    @LabelSelector
    @Size(max = 512)
    public String selector = "";

    @JsonPropertyDescription("The layout in force and the one proposed.")
    public @Nullable LayoutSummary layout;

    @JsonPropertyDescription("How the circuit stands; absent: the cluster runs none.")
    public @Nullable CircuitSummary circuit;

    @JsonPropertyDescription("The last committed checkpoint of the circuit.")
    public @Nullable CheckpointSummary checkpoint;

    @JsonPropertyDescription("Who coordinates.")
    public @Nullable CoordinatorSummary coordinator;

    @JsonPropertyDescription("Workers by release, sorted by release.")
    @ListMapKey("version")
    @Size(max = 100)
    public List<VersionCount> versions = new ArrayList<>();

    @JsonPropertyDescription("Slots that sessions take, sorted by name; looked at from time to time.")
    @ListMapKey("name")
    @Size(max = 16)
    public List<SlotSummary> slots = new ArrayList<>();

    @JsonPropertyDescription("The store as the coordinator sees it.")
    public @Nullable StoreSummary store;

    @JsonPropertyDescription("The certificates of the cluster.")
    public @Nullable CertificateSummary certificates;

    @JsonPropertyDescription("Where clients connect.")
    public @Nullable EndpointsSummary endpoints;
}
