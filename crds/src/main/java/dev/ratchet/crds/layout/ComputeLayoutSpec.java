/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import static dev.ratchet.crds.schema.ChangeImpact.IMMUTABLE;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.cluster.LayoutMode;
import dev.ratchet.crds.schema.ListMapKey;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The wanted assignment of one epoch. Immutable as a whole. */
@ValidationRule(
        value = "(self.origin == 'Operator') == has(self.epoch)",
        message = "epoch is set if and only if origin is Operator")
@OnChange(IMMUTABLE)
@JsonClassDescription("What the layout is. Immutable.")
public final class ComputeLayoutSpec extends Part {
    @JsonPropertyDescription("Name of the ComputeCluster, such as orders.")
    @Required
    @Size(max = 40)
    @Pattern(Patterns.LABEL)
    public String clusterName = "";

    @JsonPropertyDescription(
            "Operator: proposed by the operator. User: written by hand and used through spec.layout.placementRef only.")
    public LayoutOrigin origin = LayoutOrigin.OPERATOR;

    @JsonPropertyDescription("Epoch that this layout becomes; set if and only if origin is Operator.")
    @Min(0)
    public @Nullable Long epoch;

    @JsonPropertyDescription("Epoch that it starts from; absent: none.")
    @Min(0)
    public @Nullable Long fromEpoch;

    @JsonPropertyDescription("Why the layout changes.")
    public LayoutReason reason = LayoutReason.INITIAL;

    @JsonPropertyDescription("Hot: state moves while the circuit runs. Cold: the circuit stops for the move.")
    public LayoutMode mode = LayoutMode.HOT;

    @JsonPropertyDescription("Formats of persisted bytes that the layout was made with.")
    public @Nullable Formats formats;

    @JsonPropertyDescription("Where an upgrade stands; absent: none is under way.")
    public @Nullable UpgradeProgress upgrade;

    @JsonPropertyDescription("The workers of the layout.")
    @ListMapKey("seat")
    @Size(max = 1000)
    public List<LayoutMember> workers = new ArrayList<>();

    @JsonPropertyDescription("How the key space is cut.")
    public @Nullable ShardCount sharding;

    @JsonPropertyDescription(
            "Which thread owns which shards, run-length: the first shard of each run, in ascending order. "
                    + "Empty: no circuit runs.")
    @Size(max = 8192)
    public List<ShardRun> assignment = new ArrayList<>();

    @JsonPropertyDescription("Which worker reads which partitions of each input.")
    @ListMapKey("name")
    @Size(max = 256)
    public List<InputAssignment> inputs = new ArrayList<>();
}
