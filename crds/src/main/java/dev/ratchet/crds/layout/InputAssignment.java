/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.ArrayList;
import java.util.List;

/** Which worker reads which partitions of one input. */
public final class InputAssignment extends Part {
    @JsonPropertyDescription("Name of the input.")
    @Required
    @Size(max = 63)
    public String name = "";

    @JsonPropertyDescription("Ranges of partitions and their readers.")
    @Size(max = 1000)
    public List<PartitionRange> partitions = new ArrayList<>();
}
