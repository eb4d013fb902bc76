/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Certificates that somebody else keeps in Secrets of the namespace of the cluster. */
public final class SecretCertificates extends Part {
    @JsonPropertyDescription("Secret with ca.crt, such as company-ca: the authorities that are trusted.")
    @Required
    @Size(max = 253)
    @Pattern(Patterns.OBJECT_NAME)
    public String caSecretName = "";

    @JsonPropertyDescription(
            "Secret with tls.crt and tls.key, such as orders-ca, of the authority (CA:TRUE) that signs the"
                    + " certificates of pods and clients.")
    @Required
    @Size(max = 253)
    @Pattern(Patterns.OBJECT_NAME)
    public String serverSecretName = "";
}
