/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;

/** Where the text of a SQL program is. */
public final class SqlProgramSpec extends Part {
    @JsonPropertyDescription("Key of a ConfigMap that holds the program.")
    @Required
    public KeyReference configMapKeyRef = new KeyReference();
}
