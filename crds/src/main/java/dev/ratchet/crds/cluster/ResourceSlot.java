/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A named thing that sessions hold, exclusively, on one worker. */
public final class ResourceSlot extends Part {
    @JsonPropertyDescription("Name of the slot, such as gpu0.")
    @Required
    @Size(max = 63)
    @Pattern(Patterns.LABEL)
    public String name = "";

    @JsonPropertyDescription("How many sessions may hold it at the same time; a lower number takes it from nobody.")
    @Min(0)
    @Max(1024)
    public int count = 1;

    @JsonPropertyDescription("Worker: each worker has its own. Host: the workers of one Kubernetes " + "node share it.")
    public SlotScope scope = SlotScope.WORKER;
}
