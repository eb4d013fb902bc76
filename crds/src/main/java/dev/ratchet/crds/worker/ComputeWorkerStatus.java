/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.worker;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.cluster.SlotSummary;
import dev.ratchet.crds.schema.ListMapKey;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator last observed of one seat. */
@JsonClassDescription("What the operator last observed of the seat.")
public final class ComputeWorkerStatus extends Part {
    @JsonPropertyDescription("Generation of the spec that this status is about.")
    public long observedGeneration;

    @JsonPropertyDescription("Ready, Drained and Removable.")
    @ListMapKey("type")
    @Size(max = 32)
    public List<Condition> conditions = new ArrayList<>();

    @JsonPropertyDescription("State that the coordinator last said.")
    @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
    public ReportedWorkerState state = ReportedWorkerState.UNKNOWN;

    @JsonPropertyDescription("Incarnation of the process that holds the seat; 0: none.")
    public long incarnation;

    @JsonPropertyDescription("Which report of the coordinator state, shards and holds come from.")
    public @Nullable CoordinatorObservation observed;

    @JsonPropertyDescription("The pod of the seat.")
    public @Nullable PodSummary pod;

    @JsonPropertyDescription("Kubernetes node that the pod runs on.")
    @Size(max = 253)
    public String host = "";

    @JsonPropertyDescription("Release that the process runs.")
    @Size(max = 64)
    public String version = "";

    @JsonPropertyDescription("Number of shards held; the map itself is in the layout.")
    public int shards;

    @JsonPropertyDescription("What the worker holds.")
    public @Nullable HoldingsSummary holds;

    @JsonPropertyDescription("Slots that sessions take, sorted by name; looked at from time to time.")
    @ListMapKey("name")
    @Size(max = 16)
    public List<SlotSummary> slots = new ArrayList<>();

    @JsonPropertyDescription("What Removable=True is about; absent while the worker may hold something.")
    public @Nullable ProofOfRemoval removalProof;
}
