/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.worker;

import static dev.ratchet.crds.schema.ChangeImpact.IMMUTABLE;
import static dev.ratchet.crds.schema.ChangeImpact.LIVE;
import static dev.ratchet.crds.schema.ChangeImpact.UPGRADE;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** What one seat should be. Written by the operator, except {@link #drain}, which is for people. */
@JsonClassDescription("What the seat should be.")
public final class ComputeWorkerSpec extends Part {
    @JsonPropertyDescription("Name of the ComputeCluster, such as orders.")
    @OnChange(IMMUTABLE)
    @Required
    @Size(max = 40)
    @Pattern(Patterns.LABEL)
    public String clusterName = "";

    @JsonPropertyDescription("Pool that the seat belongs to, such as w.")
    @OnChange(IMMUTABLE)
    @Size(max = 10)
    @Pattern(Patterns.LABEL)
    public String pool = "w";

    @JsonPropertyDescription("Number of the seat in its pool.")
    @OnChange(IMMUTABLE)
    @Required
    @Min(0)
    @Max(1_000_000)
    public int ordinal;

    @JsonPropertyDescription("Hash of what the pod must be.")
    @OnChange(UPGRADE)
    @Size(max = 253)
    public String revision = "";

    @JsonPropertyDescription(
            "For people: the worker takes no new work and gives away what it holds. The operator never "
                    + "owns this field.")
    @OnChange(LIVE)
    public @Nullable Boolean drain;

    @JsonPropertyDescription("The seat leaves in the proposed layout.")
    @OnChange(LIVE)
    public boolean retire;
}
