/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ratchet.protocol.health.HealthPort;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.TestAuthority.Issued;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever is refused, or refuses, learns in one line by whom, what, why, and what to do. */
class RefusedConnectionTest {

    private static final Identity OPERATOR = new Identity("team-a", "orders", Kind.OPERATOR, "ratchet-operator");
    private static final Identity WORKER = new Identity("team-a", "orders", Kind.WORKER, "orders-w-0");
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final Instant before = now.minus(Duration.ofHours(1));
    private final Instant after = now.plus(Duration.ofHours(1));

    private final TestAuthority authority = new TestAuthority("orders-ca");
    private final TestAuthority stranger = new TestAuthority("stranger-ca");

    @TempDir
    Path directory;

    @Test
    void aServerRefusesACertificateThatHasExpired() throws Exception {
        refused(
                security(authority.issue(WORKER)),
                security(authority.issueUntil(OPERATOR, before)),
                " refused the certificate of " + OPERATOR.uri() + ": it expired on " + before
                        + ". Take the renewed one from its Secret");
    }

    @Test
    void aServerRefusesACertificateThatIsNotYetValid() throws Exception {
        refused(
                security(authority.issue(WORKER)),
                security(authority.issueBetween(OPERATOR, after, after.plusSeconds(9))),
                " refused the certificate of " + OPERATOR.uri() + ": it is not valid before " + after
                        + ". Set the clock, or wait");
    }

    @Test
    void aServerRefusesACertificateThatAnotherAuthoritySigned() throws Exception {
        Issued foreign = stranger.issue(OPERATOR);
        Issued mixed = new Issued(foreign.certificate(), foreign.key(), authority.certificatePem());
        refused(
                security(authority.issue(WORKER)),
                security(mixed),
                " refused the certificate of " + OPERATOR.uri() + ": it is signed by CN=stranger-ca, not by the"
                        + " authority in ca.crt. Take tls.crt, tls.key and ca.crt from one Secret");
    }

    @Test
    void aKeyOfAnotherCertificateIsTold() throws Exception {
        Issued one = authority.issue(OPERATOR);
        Issued other = authority.issue(OPERATOR);
        refused(
                security(authority.issue(WORKER)),
                security(new Issued(one.certificate(), other.key(), one.authorities())),
                " refused the certificate of " + OPERATOR.uri() + ": tls.key is not the key of the certificate in"
                        + " tls.crt. Take tls.crt, tls.key and ca.crt from one Secret");
    }

    @Test
    void aServerRefusesACertificateWithWhichItsOwnerFindsNothingWrong() throws Exception {
        Issued foreign = stranger.issue(OPERATOR);
        String both = authority.certificatePem() + stranger.certificatePem();
        refused(
                security(authority.issue(WORKER)),
                security(new Issued(foreign.certificate(), foreign.key(), both)),
                " refused the certificate of " + OPERATOR.uri() + ": it is signed by CN=stranger-ca, whom that"
                        + " server does not trust");
    }

    @Test
    void aServerOfAnotherAuthorityIsRefused() throws Exception {
        refused(
                security(authority.issue(WORKER)),
                security(stranger.issue(OPERATOR)),
                " shows the certificate of " + WORKER.uri() + ", which this process refuses: it is signed by"
                        + " CN=orders-ca, not by the authority in ca.crt. Take ca.crt from a Secret of that cluster");
    }

    @Test
    void aServerWhoseCertificateHasExpiredIsRefused() throws Exception {
        refused(
                security(authority.issueUntil(WORKER, before)),
                security(authority.issue(OPERATOR)),
                "it expired on " + before + ". Renew it there, or set the clock here");
    }

    @Test
    void anotherServerThanTheOneCalledIsRefused() throws Exception {
        refused(
                security(authority.issue(OPERATOR)),
                security(authority.issue(OPERATOR)),
                "No subject alternative DNS name matching " + WORKER.authority() + " found. Check the address");
    }

    @Test
    void aServerThatSpeaksNoTls() throws Exception {
        refused(token("0123456789abcdef"), security(authority.issue(OPERATOR)), " does not speak TLS. Use the token");
    }

    @Test
    void aServerThatWantsTls() throws Exception {
        refused(
                security(authority.issue(WORKER)),
                token("0123456789abcdef"),
                " hung up without a greeting: it wants TLS, is another service, or ends. Use certificates");
    }

    /** The JDK's own server would be begun with its own limits, which hold for all of this process. */
    @Test
    void aServerOfOlderHttp() throws Exception {
        try (HealthPort server = new HealthPort(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional::empty,
                () -> CompletableFuture.completedFuture(Optional.empty()),
                () -> "")) {
            String target = "127.0.0.1:" + server.port();
            Status status = failure(() -> CoordinatorStub.call(target, token("0123456789abcdef"), WORKER.authority()));
            assertThat(status.getDescription()).startsWith(target + " does not speak HTTP/2: it is another service");
            assertThat(RefusedConnectionException.in(status.getCause())).isPresent();
        }
    }

    @Test
    void aServerWithAnotherToken() throws Exception {
        refused(
                token("0123456789abcdef"),
                token("fedcba9876543210"),
                " refused the token of " + OPERATOR.uri()
                        + ": the token shown is not the one in this server's token file. Use the token file");
    }

    @Test
    void aCallerOfAKindThatMayNotIsToldWhichMay() throws Exception {
        refused(
                security(authority.issue(WORKER)),
                security(authority.issue(WORKER)),
                " of cluster team-a/orders. Use a credential of kind operator of that cluster");
    }

    @Test
    void whereNobodyListensNobodyRefuses() throws Exception {
        // Nobody else gets the port.
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String target = "127.0.0.1:" + taken.getLocalPort();
            Status status = failure(() ->
                    CoordinatorStub.call(target, security(authority.issueUntil(OPERATOR, before)), WORKER.authority()));
            assertThat(RefusedConnectionException.in(status.getCause())).isEmpty();
            assertThat(status.getDescription())
                    .startsWith("No connection to " + target + ": ")
                    .contains("refused")
                    .hasLineCount(1);
        }
    }

    private interface Call {
        void run() throws IOException;
    }

    private static Status failure(Call call) {
        return catchThrowableOfType(StatusRuntimeException.class, call::run).getStatus();
    }

    private static void refused(TransportSecurity callee, TransportSecurity caller, String message) throws IOException {
        try (CoordinatorStub server = new CoordinatorStub(callee)) {
            Status status = failure(() -> server.call(caller, WORKER.authority()));
            assertThat(status.getDescription())
                    .as(String.valueOf(status.getCause()))
                    .startsWith(server.target() + " ")
                    .contains(message)
                    .hasLineCount(1);
            assertThat(RefusedConnectionException.in(status.getCause()))
                    .hasValueSatisfying(refusal -> assertThat(refusal).hasMessage(status.getDescription()));
        }
    }

    private static MutualTls security(Issued issued) {
        return MutualTls.fromPem(issued.certificate(), issued.key(), issued.authorities());
    }

    private TokenSecurity token(String token) throws IOException {
        Path file = Files.writeString(directory.resolve(token), token);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return TokenSecurity.fromFile(file, OPERATOR);
    }
}
