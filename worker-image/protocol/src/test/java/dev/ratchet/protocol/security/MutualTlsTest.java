/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.TestAuthority.Issued;
import io.grpc.ChannelCredentials;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutualTlsTest {

    private static final Identity OPERATOR = new Identity("team-a", "orders", Kind.OPERATOR, "ratchet-operator");
    private static final Identity WORKER = new Identity("team-a", "orders", Kind.WORKER, "orders-w-0");

    private final TestAuthority authority = new TestAuthority("orders-ca");

    @TempDir
    Path directory;

    private LogLines log;
    private CoordinatorStub server;

    @BeforeEach
    void start() throws IOException {
        authority.issue(WORKER, "orders-client.team-a.ratchet").writeTo(directory);
        log = new LogLines("dev.ratchet.protocol.security");
        server = new CoordinatorStub(MutualTls.fromDirectory(directory));
    }

    @AfterEach
    void stop() {
        server.close();
        log.close();
    }

    @Test
    void aCallerIsKnownByItsCertificate() throws Exception {
        assertThat(server.call(security(authority.issue(OPERATOR)), WORKER.authority()))
                .isEqualTo(7);
        assertThat(server.callers.poll(60, TimeUnit.SECONDS)).isEqualTo(OPERATOR);
        assertThat(server.call(security(authority.issue(OPERATOR)), "orders-client.team-a.ratchet"))
                .isEqualTo(7);
    }

    @Test
    void aCallOutlivesTheOneInWhoseHandlerItHasBegun() throws Exception {
        try (Context.CancellableContext handler = Context.current().withCancellation()) {
            handler.cancel(null);
            assertThat(handler.call(() -> server.call(security(authority.issue(OPERATOR)), WORKER.authority())))
                    .isEqualTo(7);
        }
    }

    @Test
    void aCallerThatExpectsAnotherSeatDoesNotGoOn() {
        assertRefused(security(authority.issue(OPERATOR)), "orders-w-1.team-a.ratchet", Status.Code.UNAVAILABLE);
    }

    @Test
    void aCallerWithoutCertificateIsRefusedInTheHandshake() throws Exception {
        ManagedChannel channel = anonymous();
        try {
            assertThatThrownBy(() -> CoordinatorGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(20, TimeUnit.SECONDS)
                            .setDraining(SetDrainingRequest.getDefaultInstance()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            refused -> assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
        } finally {
            channel.shutdownNow();
        }
        assertThat(server.callers).isEmpty();
    }

    private ManagedChannel anonymous() throws IOException {
        ChannelCredentials none = TlsChannelCredentials.newBuilder()
                .trustManager(
                        new ByteArrayInputStream(authority.certificatePem().getBytes(StandardCharsets.US_ASCII)))
                .build();
        return Grpc.newChannelBuilder(server.target(), none)
                .overrideAuthority(WORKER.authority())
                .build();
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefusedInTheHandshake() {
        Issued forged = new TestAuthority("orders-ca").issue(OPERATOR);
        Issued mixed = new Issued(forged.certificate(), forged.key(), authority.certificatePem());
        assertRefused(security(mixed), WORKER.authority(), Status.Code.UNAVAILABLE);
        assertThat(log.with("TLS handshake refused")).isNotEmpty().allSatisfy(line -> assertThat(line)
                .contains(OPERATOR.uri()));
    }

    @Test
    void anExpiredCertificateIsRefusedInTheHandshake() {
        Issued expired = authority.issueUntil(OPERATOR, Instant.now().minus(Duration.ofHours(1)));
        assertRefused(security(expired), WORKER.authority(), Status.Code.UNAVAILABLE);
        assertThat(log.with("TLS handshake refused")).isNotEmpty().allSatisfy(line -> assertThat(line)
                .containsIgnoringCase("notAfter"));
    }

    @Test
    void aCertificateWithoutIdentityIsRefused() {
        assertRefused(security(authority.issueNameless()), WORKER.authority(), Status.Code.UNAUTHENTICATED);
        assertThat(log.with("carries no single ratchet:// identity")).hasSize(1);
    }

    @Test
    void aKindThatTheServiceIsNotForIsDenied() {
        assertRefused(security(authority.issue(WORKER)), WORKER.authority(), Status.Code.PERMISSION_DENIED);
        assertThat(log.with("not allowed for this caller"))
                .singleElement()
                .asString()
                .contains(WORKER.uri());
        assertRefused(
                security(authority.issue(new Identity("team-b", "orders", Kind.OPERATOR, "ratchet-operator"))),
                WORKER.authority(),
                Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aRotatedServerIsTrustedByTheNewAuthorityWithoutRestart() throws Exception {
        TestAuthority next = new TestAuthority("orders-ca-2");
        MutualTls newcomer = security(next.issue(OPERATOR));
        assertRefused(newcomer, WORKER.authority(), Status.Code.UNAVAILABLE);

        Issued both = next.issue(WORKER);
        new Issued(both.certificate(), both.key(), authority.certificatePem() + next.certificatePem())
                .writeTo(directory);

        assertThat(server.call(newcomer, WORKER.authority())).isEqualTo(7);
        Issued old = authority.issue(OPERATOR);
        Issued oldTrustingNew = new Issued(old.certificate(), old.key(), next.certificatePem());
        assertThat(server.call(security(oldTrustingNew), WORKER.authority())).isEqualTo(7);
    }

    @Test
    void aSecretSwitchedBySymbolicLinkIsFollowed() throws Exception {
        Path mount = Files.createDirectories(directory.resolve("mount"));
        authority.issue(OPERATOR).writeTo(mount.resolve("..1"));
        Files.createSymbolicLink(mount.resolve("..data"), Path.of("..1"));
        for (String file : new String[] {"tls.crt", "tls.key", "ca.crt"}) {
            Files.createSymbolicLink(mount.resolve(file), Path.of("..data", file));
        }
        MutualTls caller = MutualTls.fromDirectory(mount);
        assertThat(server.call(caller, WORKER.authority())).isEqualTo(7);

        Identity renamed = new Identity("team-a", "orders", Kind.OPERATOR, "second");
        authority.issue(renamed).writeTo(mount.resolve("..2"));
        Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of("..2"));
        Files.move(mount.resolve("..data_tmp"), mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

        assertThat(caller.identity()).contains(renamed);
        assertThat(server.call(caller, WORKER.authority())).isEqualTo(7);
        assertThat(server.callers).containsExactly(OPERATOR, renamed);
    }

    /** As where both are written within the few milliseconds for which the clock of a file system stands still. */
    @Test
    void aRotationAtTheSameTimeAsTheOneBeforeIsFollowed() throws Exception {
        FileTime time = FileTime.from(Instant.now().truncatedTo(ChronoUnit.SECONDS));
        authority.issue(OPERATOR).writeTo(directory);
        touch(time);
        MutualTls caller = MutualTls.fromDirectory(directory);
        Identity renamed = new Identity("team-a", "orders", Kind.OPERATOR, "ratchet-director");

        authority.issue(renamed).writeTo(directory);
        touch(time);

        assertThat(caller.identity()).contains(renamed);
    }

    private void touch(FileTime time) throws IOException {
        for (String file : new String[] {"tls.crt", "tls.key", "ca.crt"}) {
            Files.setLastModifiedTime(directory.resolve(file), time);
        }
    }

    @Test
    void aDamagedRotationLeavesTheFormerCredential() throws Exception {
        Files.writeString(directory.resolve("tls.key"), authority.issue(WORKER).key());
        assertThat(server.call(security(authority.issue(OPERATOR)), WORKER.authority()))
                .isEqualTo(7);
        assertThat(log.with("the former one stays")).isNotEmpty();
    }

    @Test
    void aDirectoryWithoutCredentialIsRefusedAtOnce() {
        assertThatThrownBy(() -> MutualTls.fromDirectory(directory.resolve("absent")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tls.crt");
        Issued issued = authority.issue(OPERATOR);
        String pkcs1 = issued.key().replace("PRIVATE KEY", "EC PRIVATE KEY");
        assertThatThrownBy(() -> MutualTls.fromPem(issued.certificate(), pkcs1, issued.authorities()))
                .hasMessageContaining("PKCS8");
    }

    private static MutualTls security(Issued issued) {
        return MutualTls.fromPem(issued.certificate(), issued.key(), issued.authorities());
    }

    private void assertRefused(TransportSecurity caller, String name, Status.Code code) {
        assertThatThrownBy(() -> server.call(caller, name))
                .isInstanceOfSatisfying(StatusRuntimeException.class, refused -> assertThat(
                                refused.getStatus().getCode())
                        .as(refused.toString())
                        .isEqualTo(code));
        assertThat(server.callers).isEmpty();
    }
}
