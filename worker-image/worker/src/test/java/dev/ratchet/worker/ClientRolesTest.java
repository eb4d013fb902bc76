/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.client.v1.AddRowsRequest;
import dev.ratchet.protocol.client.v1.CancelReply;
import dev.ratchet.protocol.client.v1.CancelRequest;
import dev.ratchet.protocol.client.v1.DescribeProducerRequest;
import dev.ratchet.protocol.client.v1.EndFeedReply;
import dev.ratchet.protocol.client.v1.EndFeedRequest;
import dev.ratchet.protocol.client.v1.FeedDescription;
import dev.ratchet.protocol.client.v1.FollowViewReply;
import dev.ratchet.protocol.client.v1.FollowViewRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.GatewayGrpc.GatewayBlockingStub;
import dev.ratchet.protocol.client.v1.PlaceReply;
import dev.ratchet.protocol.client.v1.PlaceRequest;
import dev.ratchet.protocol.client.v1.ProducerDescription;
import dev.ratchet.protocol.client.v1.PutFeedRequest;
import dev.ratchet.protocol.client.v1.RetainReply;
import dev.ratchet.protocol.client.v1.RetainRequest;
import dev.ratchet.protocol.client.v1.StatusReply;
import dev.ratchet.protocol.client.v1.StatusRequest;
import dev.ratchet.protocol.security.CallerIdentity;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.sessions.v1.AskSlotsReply;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What clients of each role may call, on the port of a worker as it is served, and what is noted of it. */
class ClientRolesTest {

    @TempDir
    Path directory;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final CallThreads threads = new CallThreads();
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final BlockingQueue<String> tenants = new LinkedBlockingQueue<>();
    private final ListAppender<ILoggingEvent> audit = new ListAppender<>();
    private final Logger auditLog = (Logger) LoggerFactory.getLogger("ratchet.audit");
    private TestCertificates certificates;
    private AllowedClients clients;
    private Server server;

    private final class Gateway extends GatewayGrpc.GatewayImplBase {
        @Override
        public void status(StatusRequest request, StreamObserver<StatusReply> client) {
            client.onNext(StatusReply.getDefaultInstance());
            client.onCompleted();
        }

        @Override
        public void cancel(CancelRequest request, StreamObserver<CancelReply> client) {
            tenants.add(String.valueOf(CallerIdentity.TENANT.get()));
            client.onNext(CancelReply.getDefaultInstance());
            client.onCompleted();
        }

        @Override
        public void retain(RetainRequest request, StreamObserver<RetainReply> client) {
            client.onNext(RetainReply.getDefaultInstance());
            client.onCompleted();
        }

        @Override
        public void putFeed(PutFeedRequest request, StreamObserver<FeedDescription> client) {
            client.onNext(FeedDescription.getDefaultInstance());
            client.onCompleted();
        }

        @Override
        public void endFeed(EndFeedRequest request, StreamObserver<EndFeedReply> client) {
            client.onNext(EndFeedReply.getDefaultInstance());
            client.onCompleted();
        }

        @Override
        public void closeSession(CloseSessionRequest request, StreamObserver<SessionDescription> client) {
            client.onNext(SessionDescription.getDefaultInstance());
            client.onCompleted();
        }

        @Override
        public void askSessions(AskSlotsRequest request, StreamObserver<AskSlotsReply> client) {
            client.onNext(AskSlotsReply.getDefaultInstance());
            client.onCompleted();
        }

        @Override
        public void addRows(AddRowsRequest request, StreamObserver<ProducerDescription> client) {
            client.onNext(ProducerDescription.newBuilder().setSequence(4).build());
            client.onCompleted();
        }

        @Override
        public void describeProducer(DescribeProducerRequest request, StreamObserver<ProducerDescription> client) {
            client.onNext(ProducerDescription.newBuilder().setSequence(3).build());
            client.onCompleted();
        }

        @Override
        public void followView(FollowViewRequest request, StreamObserver<FollowViewReply> client) {
            client.onNext(FollowViewReply.getDefaultInstance());
            client.onCompleted();
        }

        @Override
        public void place(PlaceRequest request, StreamObserver<PlaceReply> client) {
            client.onNext(PlaceReply.getDefaultInstance());
            client.onCompleted();
        }
    }

    @BeforeEach
    void serve() throws Exception {
        auditLog.setLevel(Level.INFO);
        audit.start();
        auditLog.addAppender(audit);
        certificates = new TestCertificates();
        write("""
                {"clients":["default","billing","graphs"],"roles":{"billing":"Submit","graphs":"Read"}}""");
        clients = new AllowedClients(directory);
        server = WorkerServer.builder(
                        certificates.of(directory, "orders-w-0"),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        "team-a",
                        "orders",
                        List.of(new Gateway()),
                        threads,
                        new PeerAddresses(List::of),
                        new ClientAdmission(clients),
                        new ClientShares(ClientLimits.forHeap(0), environment),
                        ConnectionAge.DEFAULT)
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        channels.forEach(ManagedChannel::shutdownNow);
        server.shutdownNow();
        threads.close();
        environment.close();
        auditLog.detachAppender(audit);
    }

    private void write(String document) throws Exception {
        Files.writeString(directory.resolve("cluster.json"), document);
    }

    private GatewayBlockingStub as(String client) throws Exception {
        Path credential = certificates.issue(
                directory.resolve(client + channels.size()), new Identity("team-a", "orders", Kind.CLIENT, client));
        ManagedChannel channel = MutualTls.fromDirectory(credential)
                .channelBuilder("127.0.0.1:" + server.getPort(), Identity.authority("orders-w-0", "team-a"))
                .build();
        channels.add(channel);
        return GatewayGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private static CancelRequest cancel() {
        ByteString id = ByteString.copyFrom(new byte[16]);
        return CancelRequest.newBuilder().addIds(id).addIds(id).build();
    }

    private static void refused(String reason, Runnable call) {
        assertThatThrownBy(call::run).satisfies(failure -> {
            assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
            assertThat(failure).hasMessageContaining(reason);
        });
    }

    private List<String> lines(String text) {
        return List.copyOf(audit.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(text))
                .toList();
    }

    @Test
    void whoReadsChangesNothing() throws Exception {
        GatewayBlockingStub graphs = as("graphs");
        assertThat(graphs.status(StatusRequest.getDefaultInstance())).isNotNull();
        refused("has the role Read, which does not allow Cancel", () -> graphs.cancel(cancel()));
        assertThat(tenants).isEmpty();
        assertThat(lines("Refused: "))
                .singleElement()
                .asString()
                .contains("client/graphs", "Gateway/Cancel", "127.0.0.1");
    }

    @Test
    void whoReadsFollowsViewsAndAddsNoRows() throws Exception {
        GatewayBlockingStub graphs = as("graphs");
        DescribeProducerRequest shop =
                DescribeProducerRequest.newBuilder().setProducer("shop").build();
        assertThat(graphs.describeProducer(shop).getSequence()).isEqualTo(3);
        assertThat(graphs.followView(FollowViewRequest.getDefaultInstance()).hasNext())
                .isTrue();
        AddRowsRequest rows = AddRowsRequest.newBuilder().setProducer("shop").build();
        refused("has the role Read, which does not allow AddRows", () -> graphs.addRows(rows));
        assertThat(as("billing").addRows(rows).getSequence()).isEqualTo(4);
    }

    @Test
    void whoSubmitsIsConfinedToItsTenantAndMovesNoObjects() throws Exception {
        GatewayBlockingStub billing = as("billing");
        assertThat(billing.cancel(cancel())).isNotNull();
        assertThat(tenants.poll(30, TimeUnit.SECONDS)).isEqualTo("billing");
        refused("has the role Submit", () -> billing.place(PlaceRequest.getDefaultInstance()));
    }

    @Test
    void whatAnAdministratorDoesIsOneLine() throws Exception {
        assertThat(as("default").cancel(cancel())).isNotNull();
        assertThat(tenants.poll(30, TimeUnit.SECONDS)).isEqualTo("null");
        assertThat(lines("Administrative: "))
                .singleElement()
                .asString()
                .contains("client/default", "Gateway/Cancel", "ids=00000000-0000-0000-0000-000000000000+1");
    }

    @Test
    void whatConcernsFeedsSessionsAndAllFuturesIsNotedToo() throws Exception {
        GatewayBlockingStub admin = as("default");
        assertThat(admin.retain(
                        RetainRequest.newBuilder().setRetentionMillis(60_000).build()))
                .isNotNull();
        assertThat(admin.putFeed(PutFeedRequest.newBuilder().setName("bills").build()))
                .isNotNull();
        assertThat(admin.endFeed(EndFeedRequest.newBuilder().setName("bills").build()))
                .isNotNull();
        assertThat(admin.closeSession(CloseSessionRequest.newBuilder()
                        .setId(ByteString.copyFrom(new byte[16]))
                        .setOwnerSecret(ByteString.copyFrom(new byte[16]))
                        .build()))
                .isNotNull();
        assertThat(admin.askSessions(AskSlotsRequest.newBuilder()
                        .addRequests(SlotsRequest.newBuilder().setOpen(OpenSessionRequest.getDefaultInstance()))
                        .build()))
                .isNotNull();
        assertThat(admin.askSessions(AskSlotsRequest.newBuilder()
                        .addRequests(SlotsRequest.newBuilder().setOpen(OpenSessionRequest.getDefaultInstance()))
                        .addRequests(closing(1, false))
                        .addRequests(closing(2, true))
                        .build()))
                .isNotNull();
        assertThat(lines("Administrative: ")).hasSize(5);
        assertThat(lines("Gateway/Retain ")).singleElement().asString().contains("retention_millis=60000");
        assertThat(lines("Gateway/PutFeed ")).singleElement().asString().contains("name=bills");
        assertThat(lines("Gateway/EndFeed ")).singleElement().asString().contains("name=bills");
        assertThat(lines("Gateway/CloseSession "))
                .singleElement()
                .asString()
                .contains("id=00000000-0000-0000-0000-000000000000")
                .doesNotContain("secret");
        assertThat(lines("Gateway/AskSessions "))
                .singleElement()
                .asString()
                .contains("client/default", "id=" + new UUID(0, 1) + ", id=" + new UUID(0, 2) + " cancel=true")
                .doesNotContain("secret");
    }

    private static SlotsRequest closing(int number, boolean cancel) {
        byte[] id = new byte[16];
        id[15] = (byte) number;
        return SlotsRequest.newBuilder()
                .setClose(CloseSessionRequest.newBuilder()
                        .setId(ByteString.copyFrom(id))
                        .setCancel(cancel)
                        .setOwnerSecret(ByteString.copyFromUtf8("secret")))
                .build();
    }

    @Test
    void aRoleIsAnotherOneWithoutRestart() throws Exception {
        GatewayBlockingStub billing = as("billing");
        assertThat(billing.cancel(cancel())).isNotNull();
        write("{\"clients\":[\"billing\"],\"roles\":{\"billing\":\"Read\"}}");
        clients.look();
        refused("has the role Read", () -> billing.cancel(cancel()));
        GatewayBlockingStub gone = as("default");
        refused("is not among the clients", () -> gone.status(StatusRequest.getDefaultInstance()));
    }

    @Test
    void aRoleThatIsNotKnownIsRefused() throws Exception {
        write("{\"clients\":[\"billing\"],\"roles\":{\"billing\":\"Owner\"}}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AllowedClients(directory))
                .withMessageContaining("are Read, Submit, Admin, and not 'Owner'");
    }
}
