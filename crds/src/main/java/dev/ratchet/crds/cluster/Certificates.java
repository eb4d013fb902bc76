/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.LIVE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where the certificates of a cluster come from: the member that {@link #type} names is set. */
@ValidationRule(
        value = "(self.type == 'Secret') == has(self.secret)",
        message = "the member secret is set if and only if the type of certificates is Secret")
@ValidationRule(
        value = "(self.type == 'CertManager') == has(self.certManager)",
        message = "the member certManager is set if and only if the type of certificates is CertManager")
public final class Certificates extends Part {
    @JsonPropertyDescription(
            "Operator: the operator makes and rotates them. Secret: from Secrets that exist. CertManager: "
                    + "requested from cert-manager.")
    @OnChange(LIVE)
    public CertificateSource type = CertificateSource.OPERATOR;

    @JsonPropertyDescription("Set if and only if type is Secret.")
    @OnChange(LIVE)
    public @Nullable SecretCertificates secret;

    @JsonPropertyDescription("Set if and only if type is CertManager.")
    @OnChange(LIVE)
    public @Nullable CertManager certManager;
}
