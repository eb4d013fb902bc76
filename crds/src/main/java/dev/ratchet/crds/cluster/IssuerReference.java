/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** An issuer of cert-manager. */
public final class IssuerReference extends Part {
    @JsonPropertyDescription("API group of the issuer.")
    @Size(max = 253)
    public String group = "cert-manager.io";

    @JsonPropertyDescription("Kind of the issuer, such as Issuer or ClusterIssuer.")
    @Size(max = 63)
    public String kind = "Issuer";

    @JsonPropertyDescription("Name of the issuer, such as company-ca.")
    @Required
    @Size(max = 253)
    @Pattern(Patterns.OBJECT_NAME)
    public String name = "";
}
