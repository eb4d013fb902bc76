/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** How many rows of changes one view put out, and how far who takes them is behind. */
public final class OutputCount extends Part {
    @JsonPropertyDescription("Name of the view.")
    @Required
    @Size(max = 253)
    public String name = "";

    @JsonPropertyDescription("Rows so far.")
    public long rows;

    @JsonPropertyDescription("Rows a second, over the last seconds; 0 until they have been counted for so long.")
    public long rowsPerSecond;

    @JsonPropertyDescription(
            "How many of the steps that were taken the slowest feed or output of the view does not have yet; 0 for a"
                    + " view that has none.")
    public long lagSteps;
}
