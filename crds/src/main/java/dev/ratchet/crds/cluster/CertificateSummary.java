/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;

/** The certificates of a cluster. */
public final class CertificateSummary extends Part {
    @JsonPropertyDescription("When the first of them ends, such as 2026-01-31T09:00:00Z.")
    @Size(max = 40)
    @Pattern(Patterns.OPTIONAL_TIME)
    public String notAfter = "";
}
