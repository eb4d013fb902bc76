/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** How many rows went into one table, and how many wait. */
public final class InputCount extends Part {
    @JsonPropertyDescription("Name of the table.")
    @Required
    @Size(max = 253)
    public String name = "";

    @JsonPropertyDescription("Rows so far.")
    public long rows;

    @JsonPropertyDescription("Rows a second, over the last seconds; 0 until they have been counted for so long.")
    public long rowsPerSecond;

    @JsonPropertyDescription(
            "Rows that were accepted and that not all workers have taken in a step; 0 while nobody has counted them.")
    public long lagRows;
}
