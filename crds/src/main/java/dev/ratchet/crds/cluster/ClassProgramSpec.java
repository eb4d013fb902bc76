/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A Java class that builds the circuit. */
public final class ClassProgramSpec extends Part {
    @JsonPropertyDescription("Digest of the uploaded jar, such as"
            + " sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.")
    @Required
    @Size(max = 71)
    @Pattern(Patterns.SHA256)
    public String artifact = "";

    @JsonPropertyDescription("Full name of the class, such as com.example.Orders.")
    @Required
    @Size(max = 512)
    @Pattern(Patterns.CLASS_NAME)
    public String className = "";
}
