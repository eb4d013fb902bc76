/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.objects.v1.FetchObjectRequest;
import dev.ratchet.protocol.objects.v1.ObjectChunk;
import dev.ratchet.protocol.objects.v1.ObjectsGrpc;
import io.grpc.BindableService;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects over a real connection: every byte, whatever the size, also where one end does not know this way. */
class LargeMessagesTest {

    private static final ObjectName NAME = new ObjectName(FutureId.random(), 3);

    @TempDir
    Path directory;

    private ObjectStore objects;
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void open() throws IOException {
        objects = new ObjectStore(directory, 64 << 20, 0);
        serve(LargeMessages.serve(service()));
    }

    private BindableService service() {
        return new ObjectsService(
                objects, request -> CompletableFuture.failedFuture(new IllegalStateException("takes nothing")));
    }

    private void serve(BindableService service) throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(service)
                .build()
                .start();
        channel = NettyChannelBuilder.forTarget("127.0.0.1:" + server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void close() throws InterruptedException {
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        objects.close();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                1,
                10_001,
                LargeMessages.PIECE_BYTES - 1,
                LargeMessages.PIECE_BYTES,
                LargeMessages.PIECE_BYTES + 1,
                5 * LargeMessages.PIECE_BYTES + 77
            })
    void everyByteArrives(int bytes) {
        byte[] content = stored(bytes);

        assertThat(fetched(LargeMessages.over(channel))).isEqualTo(content);
    }

    @Test
    void anEndThatDoesNotKnowThisWayReadsAndWritesTheSameBytes() throws Exception {
        byte[] content = stored(2 * LargeMessages.PIECE_BYTES + 5);
        assertThat(fetched(channel)).as("plain receiver").isEqualTo(content);

        close();
        objects = new ObjectStore(directory, 64 << 20, 0);
        serve(service());
        content = stored(2 * LargeMessages.PIECE_BYTES + 5);
        assertThat(fetched(LargeMessages.over(channel))).as("plain sender").isEqualTo(content);
    }

    @Test
    void aWorkerThatAsksForFewPiecesAtATimeGetsThemAll() {
        byte[] content = stored(9 * LargeMessages.PIECE_BYTES);
        ObjectWriter writer = objects.begin(new ObjectName(FutureId.random(), 1), content.length);

        new ObjectClient((seat, address) -> channel)
                .fetch("w-0", "", NAME, 2, (piece, next) -> {
                    writer.write(piece);
                    next.run();
                })
                .join();

        assertThat(writer.complete(objects.find(NAME).orElseThrow().checksum()).bytes())
                .isEqualTo(content.length);
    }

    private byte[] stored(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        objects.put(NAME, content);
        return content;
    }

    private static byte[] fetched(Channel from) {
        Iterator<ObjectChunk> chunks = ObjectsGrpc.newBlockingStub(from)
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .fetch(FetchObjectRequest.newBuilder()
                        .setName(ObjectsService.message(NAME))
                        .build());
        ByteString all = ByteString.EMPTY;
        while (chunks.hasNext()) {
            all = all.concat(chunks.next().getContent());
        }
        return all.toByteArray();
    }
}
