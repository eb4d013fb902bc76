/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.store.v1.ClientFrame;
import dev.ratchet.protocol.store.v1.Open;
import dev.ratchet.protocol.store.v1.ServerFrame;
import dev.ratchet.store.transaction.StoreConnection;
import dev.ratchet.store.wire.StoreProtocol;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream from its first frame, which must open a session, to its end. Ends itself when the client is silent for too
 * long, and shows the client that the server is there.
 */
final class StreamSession implements StreamObserver<ClientFrame> {

    private static final Logger LOG = LoggerFactory.getLogger(StreamSession.class);

    private final FrameStream stream;
    private final Identity caller;
    private final StoreConnection engine;
    private final StreamSessions streamSessions;
    private final Environment environment;
    private volatile long lastFrameNanos;

    /** Set by the first frame; null again when the visit is over. Changed under the lock of this object. */
    private volatile @Nullable OpenSession session;

    private @Nullable Open opening;
    private volatile boolean over;

    StreamSession(
            FrameStream stream,
            Identity caller,
            StoreConnection engine,
            StreamSessions streamSessions,
            Environment environment) {
        this.stream = stream;
        this.caller = caller;
        this.engine = engine;
        this.streamSessions = streamSessions;
        this.environment = environment;
        this.lastFrameNanos = environment.nanoTime();
    }

    void begin() {
        environment.schedule(StoreProtocol.IDLE_MILLIS, this::beat);
    }

    @Override
    public void onNext(ClientFrame frame) {
        lastFrameNanos = environment.nanoTime();
        OpenSession open = session;
        if (open != null) {
            open.take(frame);
        } else if (!over) {
            open(frame.getOpen());
        }
    }

    private void open(Open open) {
        Status refusal = streamSessions.refusal(open, caller);
        if (refusal != null) {
            over = true;
            streamSessions.metrics.sessionRefused();
            LOG.warn("Store session refused: caller={} reason={}", caller, refusal.getDescription());
            stream.fail(refusal);
            return;
        }
        StreamSession former = streamSessions.enter(open, caller, this);
        if (former != null) {
            former.fail(Status.ABORTED.withDescription("A newer session of the same client was opened"));
        }
        synchronized (this) {
            opening = open;
            if (over) {
                streamSessions.leave(open, caller, this);
                return;
            }
            session = new OpenSession(
                    stream, new Dispatcher(engine, open.getClientId()), streamSessions.metrics, environment);
        }
        streamSessions.metrics.sessionOpened();
        LOG.info(
                "Store session opened: caller={} release={} reconnected={}", caller, open.getRelease(), former != null);
        stream.send(
                ServerFrame.newBuilder().setOpened(streamSessions.opened(open)).build());
        stream.askForFrame();
    }

    /** The stream takes frames again. */
    void ready() {
        OpenSession open = session;
        if (open != null) {
            open.ready();
        }
    }

    private void beat() {
        if (over) {
            return;
        }
        OpenSession open = session;
        if (open != null && !open.isReading()) {
            // Slow is not silent. Whether such a client is there at all the pings of the connection find out.
            lastFrameNanos = environment.nanoTime();
        }
        long silentMillis = TimeUnit.NANOSECONDS.toMillis(environment.nanoTime() - lastFrameNanos);
        if (silentMillis > StoreProtocol.CLIENT_SILENCE_MILLIS) {
            LOG.warn("Store session given up, the client is silent: caller={} silentMillis={}", caller, silentMillis);
            fail(Status.DEADLINE_EXCEEDED.withDescription("Nothing came from the client for " + silentMillis + " ms"));
            return;
        }
        if (open != null && stream.ready()) {
            stream.send(ServerFrame.getDefaultInstance());
        }
        environment.schedule(StoreProtocol.IDLE_MILLIS, this::beat);
    }

    private void fail(Status status) {
        end();
        stream.fail(status);
    }

    /** Ends the session, if there is one; no request of it reaches the engine after this has returned. */
    void end() {
        OpenSession open;
        Open opened;
        synchronized (this) {
            over = true;
            open = session;
            opened = opening;
            session = null;
        }
        if (open != null) {
            open.end();
            streamSessions.metrics.sessionEnded();
        }
        if (opened != null) {
            streamSessions.leave(opened, caller, this);
        }
    }

    @Override
    public void onError(Throwable broken) {
        end();
    }

    @Override
    public void onCompleted() {
        end();
        stream.complete();
    }
}
