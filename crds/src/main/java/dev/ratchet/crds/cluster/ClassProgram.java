/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.Part;
import dev.ratchet.crds.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A Java class that builds the circuit. */
public final class ClassProgram extends Part {
    @JsonPropertyDescription("Digest of the uploaded jar, as sha256:<64 hexadecimal digits>.")
    @Required
    @Size(max = 71)
    @Pattern(Patterns.SHA256)
    public String artifact = "";

    @JsonPropertyDescription("Full name of the class.")
    @Required
    @Size(max = 512)
    @Pattern(Patterns.CLASS_NAME)
    public String className = "";
}
