/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Workers that run one release. */
public final class VersionCount extends Part {
    @JsonPropertyDescription("The release.")
    @Required
    @Size(max = 64)
    public String version = "";

    @JsonPropertyDescription("Workers that run it.")
    public int workers;
}
