/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;

/** Why a change of layout was given up. */
public final class Abort extends Part {
    @JsonPropertyDescription("One word.")
    @Size(max = 128)
    public String reason = "";

    @JsonPropertyDescription("What happened, and what to do.")
    @Size(max = 4096)
    public String message = "";
}
