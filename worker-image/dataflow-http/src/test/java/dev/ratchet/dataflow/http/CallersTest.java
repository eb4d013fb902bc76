/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.TestAuthority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** Who may use a circuit over HTTP. */
class CallersTest extends ServedCircuitTest {

    @Test
    void aRoleAllowsToReadOrToWriteAsWell() throws IOException, InterruptedException {
        client = client("reader");
        assertThat(get("/v1/status").statusCode()).isEqualTo(200);
        assertRefused(post("/v1/tables/orders", "{}", "Content-Type", NDJSON), 403, "/client/reader may not");
        client = client("stranger");
        assertRefused(get("/v1/status"), 403, "/client/stranger may not");
        assertThat(circuit.appended).isEmpty();
    }

    @Test
    void aTokenIsEnoughAndANewOneHoldsAtOnce() throws IOException, InterruptedException, GeneralSecurityException {
        client = withoutCertificate();
        assertRefused(get("/v1/status"), 401, "neither a client certificate nor a token");
        assertRefused(get("/v1/status", "Authorization", "Bearer " + TOKEN + "x"), 401, "not the one");
        assertThat(get("/v1/status", "Authorization", "Bearer " + TOKEN).statusCode())
                .isEqualTo(200);
        Files.writeString(directory.resolve("token"), "another-token-of-this-test");
        assertThat(get("/v1/status", "Authorization", "Bearer " + TOKEN).statusCode())
                .isEqualTo(401);
        assertThat(get("/v1/status", "Authorization", "Bearer another-token-of-this-test")
                        .statusCode())
                .isEqualTo(200);
        Files.delete(directory.resolve("token"));
        assertRefused(get("/v1/status", "Authorization", "Bearer " + TOKEN), 401, "takes no tokens");
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefusedInTheHandshake() {
        TestAuthority.Issued issued =
                new TestAuthority("stranger").issue(new Identity("ns", "c", Kind.CLIENT, "default"));
        client = HttpClient.newBuilder()
                .sslContext(dev.ratchet.protocol.security.MutualTls.fromPem(
                                issued.certificate(), issued.key(), serverAuthority())
                        .clientContext(Identity.authority("w-0", "ns")))
                .build();
        assertThatThrownBy(() -> get("/v1/status")).isInstanceOf(IOException.class);
    }

    @Test
    void aClientKnowsTheServerByItsName() {
        client = HttpClient.newBuilder()
                .sslContext(security(Kind.CLIENT, "default").clientContext("another.ns.ratchet"))
                .build();
        assertThatThrownBy(() -> get("/v1/status"))
                .isInstanceOf(SSLException.class)
                .hasStackTraceContaining("The server is not another.ns.ratchet");
    }

    private static HttpClient withoutCertificate() throws GeneralSecurityException, IOException {
        KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
        authorities.load(null, null);
        authorities.setCertificateEntry(
                "authority",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(serverAuthority().getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }
}
