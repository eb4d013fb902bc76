/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One key of a Secret or ConfigMap in the namespace of the cluster. */
public final class KeyReference extends Part {
    @JsonPropertyDescription("Name of the object, such as orders-settings.")
    @Required
    @Size(max = 253)
    @Pattern(Patterns.OBJECT_NAME)
    public String name = "";

    @JsonPropertyDescription("Key in the object, such as fdb.cluster or program.sql.")
    @Required
    @Size(max = 253)
    @Pattern(Patterns.DATA_KEY)
    public String key = "";
}
