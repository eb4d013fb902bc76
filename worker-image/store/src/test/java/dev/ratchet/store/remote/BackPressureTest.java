/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.protocol.store.v1.ClientFrame;
import dev.ratchet.protocol.store.v1.Open;
import dev.ratchet.protocol.store.v1.Request;
import dev.ratchet.protocol.store.v1.ServerFrame;
import dev.ratchet.protocol.store.v1.StoreGrpc;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.wire.Requests;
import dev.ratchet.store.wire.StoreProtocol;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that asks and does not take the answers costs the server a bounded number of bytes, and others nothing. */
@Timeout(60)
class BackPressureTest {

    private static final int ASKED = 200;
    /** Answers of a quarter of a megabyte that fill a limit of 16 megabytes, and what the network holds between. */
    private static final int BEGUN_MAX = 150;

    private final ServedEngine store = new ServedEngine();
    private final RemoteConnection other = store.connect();

    @AfterEach
    void stop() {
        store.close();
    }

    /** Takes the first frame, then as many as it is told to. */
    private static final class Reader implements ClientResponseObserver<ClientFrame, ServerFrame> {
        final AtomicInteger answers = new AtomicInteger();
        final CompletableFuture<Void> opened = new CompletableFuture<>();
        private ClientCallStreamObserver<ClientFrame> stream;

        @Override
        public void beforeStart(ClientCallStreamObserver<ClientFrame> requests) {
            stream = requests;
            requests.disableAutoRequestWithInitial(1);
        }

        @Override
        public void onNext(ServerFrame frame) {
            opened.complete(null);
            answers.addAndGet(frame.getResponsesCount());
        }

        void takeAll() {
            stream.request(Integer.MAX_VALUE);
        }

        @Override
        public void onError(Throwable broken) {
            opened.completeExceptionally(broken);
        }

        @Override
        public void onCompleted() {}
    }

    private long ranges() throws Exception {
        return store.metric("ratchet_store_requests_total{kind=\"range\"}");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void ofManyLargeRangesTheServerBeginsWhatFitsUntilTheReaderTakesThem() throws Exception {
        for (int i = 0; i < 3; i++) {
            other.commit(RemoteConnectionTest.sets("row" + i, "x".repeat(99_000)))
                    .get(30, TimeUnit.SECONDS);
        }
        long version = other.readVersion(ReadVersionRequest.DEFAULT).get(30, TimeUnit.SECONDS);
        ManagedChannel channel = store.channel(ServedEngine.WORKER);
        Reader reader = new Reader();
        try {
            var requests = StoreGrpc.newStub(channel).session(reader);
            requests.onNext(ClientFrame.newBuilder()
                    .setOpen(Open.newBuilder()
                            .setIdentity(ServedEngine.WORKER.uri())
                            .setClientId(77)
                            .setOldestProtocol(StoreProtocol.OLDEST_VERSION)
                            .setProtocol(StoreProtocol.VERSION)
                            .setRelease("0.1.0"))
                    .build());
            reader.opened.get(30, TimeUnit.SECONDS);
            for (long id = 1; id <= ASKED; id++) {
                Request range = Requests.range(
                        id, RangeRead.ofKeys(version, bytes("row"), bytes("rox"), 10, Integer.MAX_VALUE, false));
                requests.onNext(ClientFrame.newBuilder().addRequests(range).build());
            }
            await().atMost(40, TimeUnit.SECONDS).until(() -> ranges() > 50);
            // What another client asks meanwhile is answered, so the server has had the time to begin more.
            for (int i = 0; i < 20; i++) {
                other.get(version, bytes("row1")).get(30, TimeUnit.SECONDS);
            }
            assertThat(ranges()).isLessThan(BEGUN_MAX);
            reader.takeAll();
            await().atMost(40, TimeUnit.SECONDS).until(() -> reader.answers.get() == ASKED);
        } finally {
            channel.shutdownNow();
        }
    }
}
