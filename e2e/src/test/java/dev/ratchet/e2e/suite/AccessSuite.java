/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.e2e.environment.TestEnvironment;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.HelloRequest;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.store.v1.ClientFrame;
import dev.ratchet.protocol.store.v1.Open;
import dev.ratchet.protocol.store.v1.ServerFrame;
import dev.ratchet.protocol.store.v1.StoreGrpc;
import io.fabric8.kubernetes.api.model.Secret;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Nothing answers without the right credential, and each refusal of one leaves a line in the log of who refused. Who
 * shows none does not get past the handshake.
 */
@Order(5)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessSuite {

    private static final String SEAT = "locked-w-0";

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;
    private String client;

    @BeforeAll
    void runACluster() {
        cluster = Cluster.in(environment, "access", "locked").apply(2).awaitReady(2);
        client = new Identity("access", "locked", Identity.Kind.CLIENT, "default").uri();
    }

    @AfterAll
    void deleteIt() {
        cluster.close();
    }

    @Test
    void theClientsOwnCertificateOpensTheGateway() {
        Secret secret = Objects.requireNonNull(cluster.secret("locked-client"));
        MutualTls own = MutualTls.fromPem(text(secret, "tls.crt"), text(secret, "tls.key"), text(secret, "ca.crt"));
        assertThat(hello(channel(own))).isEqualTo(Status.Code.OK);
    }

    @Test
    void aCallerWithoutACertificateIsRefused() throws SSLException {
        ManagedChannel channel = NettyChannelBuilder.forTarget(address(SEAT, 7400))
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(new ByteArrayInputStream(authorities().getBytes(StandardCharsets.US_ASCII)))
                        .build())
                .overrideAuthority(Identity.authority(SEAT, "access"))
                .build();
        assertThat(hello(channel)).isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() {
        Forgery forgery = Forgery.ofStranger(client);
        MutualTls stranger = MutualTls.fromPem(forgery.certificate(), forgery.key(), authorities());
        assertThat(hello(channel(stranger))).isNotEqualTo(Status.Code.OK);
        theLogTells(SEAT, "refused");
    }

    @Test
    void anExpiredCertificateIsRefused() {
        Secret authority = Objects.requireNonNull(cluster.secret("locked-ca"));
        Forgery forgery = Forgery.expired(text(authority, "tls.crt"), text(authority, "tls.key"), client);
        MutualTls late = MutualTls.fromPem(forgery.certificate(), forgery.key(), authorities());
        assertThat(hello(channel(late))).isNotEqualTo(Status.Code.OK);
        theLogTells(SEAT, "CertificateExpiredException");
    }

    @Test
    void aWorkersCertificateDoesNotTakeAnotherSeat() throws InterruptedException {
        Secret zero = Objects.requireNonNull(cluster.secret(SEAT + "-tls"));
        MutualTls worker = MutualTls.fromPem(text(zero, "tls.crt"), text(zero, "tls.key"), text(zero, "ca.crt"));
        String other = new Identity("access", "locked", Identity.Kind.WORKER, "locked-w-1").uri();
        ManagedChannel channel = worker.channelBuilder(
                        address("locked-store-0", 7401), Identity.authority("locked-store-0", "access"))
                .build();
        assertThatThrownBy(() -> open(channel, other)).hasMessageContaining("locked-w-1");
        theLogTells("locked-store-0", "locked-w-1");
    }

    private static void open(ManagedChannel channel, String identity) throws Exception {
        CompletableFuture<ServerFrame> answer = new CompletableFuture<>();
        try {
            StoreGrpc.newStub(channel)
                    .session(new StreamObserver<>() {
                        @Override
                        public void onNext(ServerFrame frame) {
                            answer.complete(frame);
                        }

                        @Override
                        public void onError(Throwable refusal) {
                            answer.completeExceptionally(refusal);
                        }

                        @Override
                        public void onCompleted() {}
                    })
                    .onNext(ClientFrame.newBuilder()
                            .setOpen(Open.newBuilder()
                                    .setProtocol(1)
                                    .setOldestProtocol(1)
                                    .setIdentity(identity)
                                    .setClientId(7))
                            .build());
            answer.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            throw (StatusRuntimeException) refused.getCause();
        } finally {
            channel.shutdownNow();
        }
    }

    private Status.Code hello(ManagedChannel channel) {
        try {
            var reply = GatewayGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .hello(HelloRequest.newBuilder()
                            .setCluster("locked")
                            .setNamespace("access")
                            .build());
            assertThat(reply.getSeat()).isEqualTo(SEAT);
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        } finally {
            channel.shutdownNow();
        }
    }

    private ManagedChannel channel(MutualTls security) {
        return security.channelBuilder(address(SEAT, 7400), Identity.authority(SEAT, "access"))
                .build();
    }

    private String address(String pod, int port) {
        return Objects.requireNonNull(environment
                                .client()
                                .pods()
                                .inNamespace("access")
                                .withName(pod)
                                .get())
                        .getStatus()
                        .getPodIP()
                + ":" + port;
    }

    private String authorities() {
        return text(Objects.requireNonNull(cluster.secret("locked-client")), "ca.crt");
    }

    private void theLogTells(String pod, String what) {
        cluster.awaitThat(pod + " logs '" + what + "'", () -> environment
                .kubectl()
                .run("logs", pod, "-n", "access")
                .output()
                .contains(what));
    }

    private static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }
}
