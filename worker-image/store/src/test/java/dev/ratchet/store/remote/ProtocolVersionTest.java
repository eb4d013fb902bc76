/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.protocol.security.CallerPolicy;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.store.v1.ClientFrame;
import dev.ratchet.protocol.store.v1.Open;
import dev.ratchet.protocol.store.v1.Opened;
import dev.ratchet.protocol.store.v1.ServerFrame;
import dev.ratchet.protocol.store.v1.StoreGrpc;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.wire.StoreProtocol;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both sides offer the versions they speak; where none is common, each says both. */
@Timeout(60)
class ProtocolVersionTest {

    private final ServedEngine store = new ServedEngine();

    @AfterEach
    void stop() {
        store.close();
    }

    @ParameterizedTest
    @CsvSource({
        // client's oldest and newest, and what is agreed upon; 0 for nothing
        "1, 1, 1",
        "1, 2, 1",
        "0, 1, 1",
        "2, 3, 0",
        "0, 0, 0"
    })
    void theNewestCommonVersionIsSpoken(int oldest, int newest, int agreed) {
        Open open =
                Open.newBuilder().setOldestProtocol(oldest).setProtocol(newest).build();
        assertThat(StoreProtocol.common(open).orElse(0)).isEqualTo(agreed);
    }

    @Test
    void aClientOfAnotherVersionIsRefusedWithBothVersionsNamed() {
        Open open = Open.newBuilder()
                .setIdentity(ServedEngine.WORKER.uri())
                .setClientId(1)
                .setOldestProtocol(8)
                .setProtocol(9)
                .setRelease("9.0.0")
                .build();
        ManagedChannel channel = store.channel(ServedEngine.WORKER);
        CompletableFuture<ServerFrame> answer = new CompletableFuture<>();
        try {
            StreamObserver<ClientFrame> requests = StoreGrpc.newStub(channel).session(new Answer(answer));
            requests.onNext(ClientFrame.newBuilder().setOpen(open).build());
            assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
                    .satisfies(
                            failure -> assertThat(Status.fromThrowable(failure).getCode())
                                    .isEqualTo(Status.Code.FAILED_PRECONDITION))
                    .hasMessageContaining("store protocol 8 to 9 (release 9.0.0), this store 1 to 1");
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void aStoreOfAnotherVersionIsRefusedWithBothVersionsNamed() throws Exception {
        Identity self = new Identity("team-a", "orders", Kind.STORE, "orders-store-0");
        Server other = ServedEngine.security(store.authority.issue(self))
                .serverBuilder(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new CallerPolicy(
                                "team-a", "orders", Map.of(StoreGrpc.SERVICE_NAME, Set.of(Identity.Kind.WORKER))))
                .directExecutor()
                .addService(new Version9())
                .build()
                .start();
        RemoteConnection client = store.connectTo(other.getPort());
        try {
            assertThatThrownBy(
                            () -> client.readVersion(ReadVersionRequest.DEFAULT).get(30, TimeUnit.SECONDS))
                    .hasMessageContaining("speaks store protocol 9 (release 9.0.0), this client 1 to 1");
        } finally {
            client.close();
            other.shutdownNow();
        }
    }

    /** A store that answers in version 9, whatever was offered. */
    private static final class Version9 extends StoreGrpc.StoreImplBase {
        @Override
        public StreamObserver<ClientFrame> session(StreamObserver<ServerFrame> answers) {
            answers.onNext(ServerFrame.newBuilder()
                    .setOpened(
                            Opened.newBuilder().setProtocol(9).setGeneration(1).setRelease("9.0.0"))
                    .build());
            return new Nowhere();
        }
    }

    private static final class Nowhere implements StreamObserver<ClientFrame> {
        @Override
        public void onNext(ClientFrame frame) {}

        @Override
        public void onError(Throwable broken) {}

        @Override
        public void onCompleted() {}
    }

    private record Answer(CompletableFuture<ServerFrame> first) implements StreamObserver<ServerFrame> {
        @Override
        public void onNext(ServerFrame frame) {
            first.complete(frame);
        }

        @Override
        public void onError(Throwable broken) {
            first.completeExceptionally(broken);
        }

        @Override
        public void onCompleted() {
            first.completeExceptionally(new IllegalStateException("ended without an answer"));
        }
    }
}
