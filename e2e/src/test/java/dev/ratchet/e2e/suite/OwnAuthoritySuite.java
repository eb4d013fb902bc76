/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.Ratchet;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Users who bring an authority of their own get a cluster whose every certificate it has signed. */
@Order(5)
class OwnAuthoritySuite {

    private static final String ACCESS = """
              access:
                certificates: {type: Secret, secret: {caSecretName: our-authorities, serverSecretName: our-signer}}
            """;

    private final TestEnvironment environment = TestEnvironment.current();

    @Test
    void certificatesComeFromTheAuthorityThatTheUserBrings() throws GeneralSecurityException, InterruptedException {
        try (Cluster cluster = Cluster.in(environment, "own-authority", "own")) {
            cluster.apply(1, ACCESS);
            cluster.awaitThat("the missing Secrets to be named", () -> cluster.conditionField("Degraded", "message")
                    .contains("our-"));

            Forgery authority = Forgery.authority("CN=our authority");
            bring("our-authorities", Map.of("ca.crt", authority.certificate()));
            bring("our-signer", Map.of("tls.crt", authority.certificate(), "tls.key", authority.key()));
            cluster.awaitReady(1);

            assertThat(issuer(cluster, "own-w-0-tls")).isEqualTo("CN=our authority");
            assertThat(issuer(cluster, "own-store-0-tls")).isEqualTo("CN=our authority");
            try (Ratchet ratchet = cluster.connect()) {
                assertThat(ratchet.submit(Tasks.constant("signed")).get(Cluster.TIMEOUT))
                        .isEqualTo("signed");
            }
        }
    }

    private void bring(String name, Map<String, String> texts) {
        environment
                .client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("own-authority")
                        .endMetadata()
                        .withStringData(texts)
                        .build())
                .create();
    }

    private static String issuer(Cluster cluster, String secretName) throws GeneralSecurityException {
        Secret secret = Objects.requireNonNull(cluster.secret(secretName));
        byte[] certificate = Base64.getDecoder().decode(secret.getData().get("tls.crt"));
        X509Certificate parsed = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
        return parsed.getIssuerX500Principal().getName();
    }
}
