/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** How the slots of one name stand. */
public final class SlotSummary extends Part {
    @JsonPropertyDescription("Name of the slots.")
    @Required
    @Size(max = 63)
    public String name = "";

    @JsonPropertyDescription("Slots that there are.")
    public int capacity;

    @JsonPropertyDescription("Slots that sessions hold; more than there are for a while after the number was lowered.")
    public int held;

    @JsonPropertyDescription("Sessions that wait for one.")
    public int waiting;
}
