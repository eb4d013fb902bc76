/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.PutChunk;
import dev.ratchet.protocol.client.v1.ValueChunk;
import dev.ratchet.protocol.objects.v1.ObjectChunk;
import dev.ratchet.protocol.objects.v1.ObjectsGrpc;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.HasByteBuffer;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How messages that carry pieces of values are received, where gRPC's own way copies them twice. The content of what is
 * fetched is the transport's memory, which is another's as soon as {@code onNext} returns: whoever receives it moves it
 * to where it belongs, or copies it. What is put comes with fields that are kept, so it is copied once, and its content
 * is a part of that copy. What is on the wire is the same, so either end may be of a release that does not know this.
 */
public final class LargeMessages {

    /** Content of one message: less than half of the smallest region of a heap, which keeps larger arrays apart. */
    public static final int PIECE_BYTES = 256 << 10;

    /** What a sender keeps ready for the transport. */
    public static final int READY_BYTES = 1 << 20;

    private LargeMessages() {}

    /** The service, with the methods that carry values received in this way. */
    public static BindableService serve(BindableService service) {
        return () -> {
            ServerServiceDefinition plain = service.bindService();
            ServerServiceDefinition.Builder builder =
                    ServerServiceDefinition.builder(plain.getServiceDescriptor().getName());
            plain.getMethods().forEach(method -> builder.addMethod(serve(method)));
            return builder.build();
        };
    }

    /** The channel, with the methods that carry values received in this way. */
    public static Channel over(Channel channel) {
        return ClientInterceptors.intercept(channel, new ClientInterceptor() {
            @Override
            public <Q, A> ClientCall<Q, A> interceptCall(
                    MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
                return next.newCall(received(method), options);
            }
        });
    }

    private static <Q, A> ServerMethodDefinition<Q, A> serve(ServerMethodDefinition<Q, A> method) {
        return ServerMethodDefinition.create(received(method.getMethodDescriptor()), method.getServerCallHandler());
    }

    @SuppressWarnings("unchecked") // a method of this name has messages of this type
    private static <Q, A> MethodDescriptor<Q, A> received(MethodDescriptor<Q, A> method) {
        String name = method.getFullMethodName();
        if (name.equals(ObjectsGrpc.getFetchMethod().getFullMethodName())) {
            return method.toBuilder(method.getRequestMarshaller(), (Marshaller<A>)
                            inPlace(ObjectsGrpc.getFetchMethod().getResponseMarshaller(), ObjectChunk.parser()))
                    .build();
        }
        if (name.equals(GatewayGrpc.getFetchMethod().getFullMethodName())) {
            return method.toBuilder(method.getRequestMarshaller(), (Marshaller<A>)
                            inPlace(GatewayGrpc.getFetchMethod().getResponseMarshaller(), ValueChunk.parser()))
                    .build();
        }
        if (name.equals(GatewayGrpc.getPutMethod().getFullMethodName())) {
            return method.toBuilder(
                            (Marshaller<Q>) once(GatewayGrpc.getPutMethod().getRequestMarshaller(), PutChunk.parser()),
                            method.getResponseMarshaller())
                    .build();
        }
        return method;
    }

    /** Parses a message of which everything is a part of one copy. */
    private static <M extends MessageLite> Marshaller<M> once(Marshaller<M> plain, Parser<M> parser) {
        return new Received<>(plain, parser) {
            @Override
            CodedInputStream open(InputStream stream) throws IOException {
                byte[] whole = new byte[stream.available()];
                int read = stream.readNBytes(whole, 0, whole.length);
                return CodedInputStream.newInstance(whole, 0, read);
            }
        };
    }

    /** Parses a message whose bytes are those of the transport, which takes them back when the message is handled. */
    private static <M extends MessageLite> Marshaller<M> inPlace(Marshaller<M> plain, Parser<M> parser) {
        return new Received<>(plain, parser) {
            @Override
            CodedInputStream open(InputStream stream) throws IOException {
                stream.mark(stream.available()); // else what is skipped is given back at once
                List<ByteString> parts = new ArrayList<>();
                while (stream.available() > 0) {
                    ByteBuffer part = Objects.requireNonNull(((HasByteBuffer) stream).getByteBuffer());
                    parts.add(UnsafeByteOperations.unsafeWrap(part));
                    stream.skipNBytes(part.remaining());
                }
                return ByteString.copyFrom(parts).newCodedInput(); // which joins them as they are
            }
        };
    }

    private abstract static class Received<M extends MessageLite> implements Marshaller<M> {
        private final Marshaller<M> plain;
        private final Parser<M> parser;

        Received(Marshaller<M> plain, Parser<M> parser) {
            this.plain = plain;
            this.parser = parser;
        }

        abstract CodedInputStream open(InputStream stream) throws IOException;

        @Override
        public InputStream stream(M message) {
            return plain.stream(message);
        }

        @Override
        public M parse(InputStream stream) {
            if (!(stream instanceof HasByteBuffer buffers)
                    || !buffers.byteBufferSupported()
                    || !stream.markSupported()) {
                return plain.parse(stream);
            }
            try {
                CodedInputStream input = open(stream);
                input.enableAliasing(true);
                M message = parser.parseFrom(input);
                input.checkLastTagWas(0);
                return message;
            } catch (InvalidProtocolBufferException malformed) {
                throw Status.INTERNAL
                        .withDescription("A message can not be read")
                        .withCause(malformed)
                        .asRuntimeException();
            } catch (IOException unreadable) {
                throw Status.UNAVAILABLE.withCause(unreadable).asRuntimeException();
            }
        }
    }
}
