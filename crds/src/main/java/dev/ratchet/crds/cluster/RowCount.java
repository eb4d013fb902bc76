/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** How many rows went through one table or view. */
public final class RowCount extends Part {
    @JsonPropertyDescription("Name of the table or view.")
    @Required
    @Size(max = 253)
    public String name = "";

    @JsonPropertyDescription("Rows so far.")
    public long rows;
}
