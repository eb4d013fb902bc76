/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Consecutive partitions that one worker reads. */
@ValidationRule(value = "self.first <= self.last", message = "first must not be greater than last")
public final class PartitionRange extends Part {
    @JsonPropertyDescription("First partition.")
    @Required
    @Min(0)
    public int first;

    @JsonPropertyDescription("Last partition, inclusive.")
    @Required
    @Min(0)
    public int last;

    @JsonPropertyDescription("Seat of the reader, such as orders-w-0.")
    @Required
    @Size(max = 63)
    @Pattern(Patterns.LABEL)
    public String seat = "";
}
