/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.ListMapKey;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The progress of getting to a layout. */
@JsonClassDescription("The progress of getting to the layout.")
public final class ComputeLayoutStatus extends Part {
    @JsonPropertyDescription("Generation of the spec that this status is about.")
    public long observedGeneration;

    @JsonPropertyDescription("Committed, Complete and Aborted.")
    @ListMapKey("type")
    @Size(max = 32)
    public List<Condition> conditions = new ArrayList<>();

    @JsonPropertyDescription("Table of steps that is followed: Hot, Cold or Upgrade.")
    @Size(max = 63)
    public String machine = "";

    @JsonPropertyDescription("Step that is being done, such as Planned, Added, Copying, Committed, Drained or Stable. "
            + "Readers must accept others.")
    @Size(max = 63)
    public String step = "";

    @JsonPropertyDescription("Times that the layout was tried.")
    public int attempt;

    @JsonPropertyDescription("When the change started, such as 2026-01-31T09:00:00Z.")
    @Size(max = 40)
    @Pattern(Patterns.OPTIONAL_TIME)
    public String startedAt = "";

    @JsonPropertyDescription("When the step started, such as 2026-01-31T09:00:05Z.")
    @Size(max = 40)
    @Pattern(Patterns.OPTIONAL_TIME)
    public String stepStartedAt = "";

    @JsonPropertyDescription("Term of the coordinator that committed the epoch, or that was last asked to.")
    public long term;

    @JsonPropertyDescription(
            "Checkpoint version at which the epoch came into force; absent: not yet, or no circuit runs.")
    public @Nullable Long committedVersion;

    @JsonPropertyDescription("Bytes of state that the change moves.")
    public @Nullable MovedBytes bytes;

    @JsonPropertyDescription("How long the circuit stood still for the change, in milliseconds.")
    public long pausedMillis;

    @JsonPropertyDescription("Digest of the spec as the coordinator holds it.")
    @Size(max = 128)
    public String digest = "";

    @JsonPropertyDescription("Why the change was given up.")
    public @Nullable Abort abort;
}
