/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;

/** How to ask cert-manager for certificates. */
public final class CertManager extends Part {
    @JsonPropertyDescription("The issuer that signs.")
    @Required
    public IssuerReference issuerRef = new IssuerReference();
}
