/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.protocol.store.v1.ServerFrame;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way out to one client, for use by several threads: gRPC's own stream is for one at a time, and throws when used
 * after its end. Here what comes after the end goes nowhere.
 */
final class FrameStream {

    private static final Logger LOG = LoggerFactory.getLogger(FrameStream.class);

    private final ServerCallStreamObserver<ServerFrame> stream;
    private boolean closed;

    FrameStream(ServerCallStreamObserver<ServerFrame> stream) {
        this.stream = stream;
    }

    boolean ready() {
        return stream.isReady();
    }

    synchronized void send(ServerFrame frame) {
        if (!closed && !stream.isCancelled()) {
            try {
                stream.onNext(frame);
            } catch (RuntimeException | Error unexpected) {
                // What is lost with the frame the client asks for again, in another session.
                LOG.error("A frame can not be sent, so the session ends", unexpected);
                fail(Status.INTERNAL.withDescription("A frame can not be sent: " + unexpected));
            }
        }
    }

    /** Asks the client for one frame more. */
    void askForFrame() {
        stream.request(1);
    }

    synchronized void fail(Status status) {
        if (!closed && !stream.isCancelled()) {
            closed = true;
            GuardedCallbacks.run("the end of a session", () -> stream.onError(status.asRuntimeException()));
        }
    }

    synchronized void complete() {
        if (!closed && !stream.isCancelled()) {
            closed = true;
            stream.onCompleted();
        }
    }
}
