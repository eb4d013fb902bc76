/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.protocol.security.CallerPolicy;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * By one stream of gRPC between two processes, in messages of {@value #MESSAGE_BYTES} bytes: its limit for one is 4
 * MiB.
 */
final class GrpcMeetings implements Meetings {

    private static final int MESSAGE_BYTES = 1 << 20;

    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName("bench.Meetings/Meet")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private final MutualTls security;
    private final String namespace;
    private final Server server;
    private final CountDownLatch accepted = new CountDownLatch(1);
    private final Semaphore received = new Semaphore(0);
    private volatile @Nullable StreamObserver<byte[]> out;
    private @Nullable ManagedChannel channel;

    GrpcMeetings(MutualTls security, Identity self) throws IOException {
        this.security = security;
        this.namespace = self.namespace();
        server = security.serverBuilder(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new CallerPolicy(
                                namespace, self.cluster(), Map.of("bench.Meetings", Set.of(Identity.Kind.WORKER))))
                .addService(ServerServiceDefinition.builder("bench.Meetings")
                        .addMethod(METHOD, ServerCalls.asyncBidiStreamingCall(responses -> {
                            out = responses;
                            accepted.countDown();
                            return receiver();
                        }))
                        .build())
                .build()
                .start();
    }

    private StreamObserver<byte[]> receiver() {
        return new StreamObserver<>() {
            @Override
            public void onNext(byte[] message) {
                received.release(message.length);
            }

            @Override
            public void onError(Throwable failure) {
                // The process ends: whoever waits for it says why.
            }

            @Override
            public void onCompleted() {
                // As above.
            }
        };
    }

    @Override
    public String address() {
        return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void join(int self, List<String> addresses) throws InterruptedException {
        MeetingProcess.require(addresses.size() == 2);
        if (self == 0) {
            String name = Identity.authority(MeetingProcess.seat(1), namespace);
            ManagedChannel opened =
                    security.channelBuilder(addresses.get(1), name).build();
            channel = opened;
            out = ClientCalls.asyncBidiStreamingCall(opened.newCall(METHOD, CallOptions.DEFAULT), receiver());
        } else {
            accepted.await();
        }
    }

    @Override
    public void meet(byte[] frame) throws InterruptedException {
        StreamObserver<byte[]> stream = Objects.requireNonNull(out);
        for (int from = 0; from < frame.length; from += MESSAGE_BYTES) {
            int to = Math.min(frame.length, from + MESSAGE_BYTES);
            stream.onNext(to - from == frame.length ? frame : Arrays.copyOfRange(frame, from, to));
        }
        received.acquire(frame.length);
    }

    @Override
    public void close() {
        server.shutdownNow();
        if (channel != null) {
            channel.shutdownNow();
        }
    }

    /** Bytes as they are. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }
}
