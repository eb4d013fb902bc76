/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.LargeMessages;
import dev.ratchet.protocol.objects.v1.FetchObjectRequest;
import dev.ratchet.protocol.objects.v1.ObjectChunk;
import dev.ratchet.protocol.objects.v1.ObjectsGrpc;
import io.grpc.BindableService;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

    private final SystemEnvironment environment = new SystemEnvironment();
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
        environment.close();
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

        new ObjectClient((seat, address) -> channel, environment)
                .fetch("w-0", "", NAME, 2, writer)
                .join();

        assertThat(writer.complete(objects.find(NAME).orElseThrow().checksum()).bytes())
                .isEqualTo(content.length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatGoesToMemoryWakesNoThreadAndWhatGoesToAFileHoldsUpNoConnection(boolean toMemory) throws IOException {
        byte[] content = stored(3 * LargeMessages.PIECE_BYTES);
        ObjectStore target = new ObjectStore(directory.resolve("target"), toMemory ? 1 << 20 : 0, 1 << 20);
        Set<Boolean> elsewhere = new HashSet<>();
        ThreadLocal<Boolean> isElsewhere = ThreadLocal.withInitial(() -> false);
        ManagedChannel observed = NettyChannelBuilder.forTarget("127.0.0.1:" + server.getPort())
                .usePlaintext()
                .executor(task -> Thread.startVirtualThread(() -> {
                    isElsewhere.set(true);
                    task.run();
                }))
                .build();
        try (ObjectWriter writer = target.begin(NAME, content.length)) {
            new ObjectClient((seat, address) -> observed, environment)
                    .fetch("w-0", "", NAME, 2, new ObjectClient.Receiver() {
                        @Override
                        public void piece(ByteString piece, Runnable next) {
                            elsewhere.add(isElsewhere.get());
                            writer.piece(piece, next);
                        }

                        @Override
                        public boolean takesAtOnce() {
                            return writer.takesAtOnce();
                        }
                    })
                    .join();
            writer.complete(objects.find(NAME).orElseThrow().checksum());
        } finally {
            observed.shutdownNow();
        }

        assertThat(elsewhere).containsExactly(!toMemory);
        target.close();
    }

    @Test
    void whatIsFetchedIsReceivedWhereTheTransportHasIt() {
        stored(3 * LargeMessages.PIECE_BYTES);
        Set<Boolean> direct = new HashSet<>();

        receive(LargeMessages.over(channel), content -> content.asReadOnlyByteBufferList()
                .forEach(part -> direct.add(part.isDirect())));

        assertThat(direct).as("memory outside of the heap").containsExactly(true);
    }

    @Test
    void whatIsInMemoryIsSentFromWhereItIs() throws IOException {
        byte[] content = stored(LargeMessages.PIECE_BYTES + 77);
        ByteString all = ByteString.EMPTY;
        Set<Boolean> direct = new HashSet<>();

        try (ObjectReader reader =
                new ObjectReader(objects.open(objects.find(NAME).orElseThrow()), content.length)) {
            while (reader.hasNext()) {
                ByteString piece = reader.nextInPlace();
                piece.asReadOnlyByteBufferList().forEach(part -> direct.add(part.isDirect()));
                all = all.concat(ByteString.copyFrom(piece.toByteArray()));
            }
        }

        assertThat(direct).as("memory outside of the heap").containsExactly(true);
        assertThat(all.toByteArray()).isEqualTo(content);
    }

    @Test
    void anObjectThatIsShorterThanItIsSaidToBeIsNoObject() throws IOException {
        stored(LargeMessages.PIECE_BYTES + 77);
        try (ObjectReader reader =
                new ObjectReader(objects.open(objects.find(NAME).orElseThrow()), LargeMessages.PIECE_BYTES + 78)) {
            var unused = reader.nextInPlace();

            assertThatThrownBy(reader::nextInPlace)
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("1 bytes too early");
        }
    }

    private byte[] stored(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        objects.put(NAME, content);
        return content;
    }

    /** Its bytes, taken while they are there: afterwards the memory is the transport's again. */
    private static byte[] fetched(Channel from) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        receive(from, content -> all.writeBytes(content.toByteArray()));
        return all.toByteArray();
    }

    private static void receive(Channel from, Consumer<ByteString> receiver) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        ObjectsGrpc.newStub(from)
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .fetch(
                        FetchObjectRequest.newBuilder()
                                .setName(ObjectsService.message(NAME))
                                .build(),
                        new StreamObserver<>() {
                            @Override
                            public void onNext(ObjectChunk chunk) {
                                receiver.accept(chunk.getContent());
                            }

                            @Override
                            public void onError(Throwable failure) {
                                done.completeExceptionally(failure);
                            }

                            @Override
                            public void onCompleted() {
                                done.complete(null);
                            }
                        });
        done.join();
    }
}
