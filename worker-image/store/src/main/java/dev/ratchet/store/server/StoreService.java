/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.security.CallerIdentity;
import dev.ratchet.protocol.store.v1.ClientFrame;
import dev.ratchet.protocol.store.v1.ServerFrame;
import dev.ratchet.protocol.store.v1.StoreGrpc;
import dev.ratchet.store.transaction.StoreConnection;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * The service behind the store's port: each stream is a {@link StreamSession}. Frames are read one at a time, so that a
 * client that does not take its answers is not read from either.
 */
final class StoreService extends StoreGrpc.StoreImplBase {

    private final StoreConnection engine;
    private final StreamSessions streamSessions;
    private final Environment environment;

    StoreService(StoreConnection engine, StreamSessions streamSessions, Environment environment) {
        this.engine = engine;
        this.streamSessions = streamSessions;
        this.environment = environment;
    }

    @Override
    public StreamObserver<ClientFrame> session(StreamObserver<ServerFrame> answers) {
        ServerCallStreamObserver<ServerFrame> stream = (ServerCallStreamObserver<ServerFrame>) answers;
        stream.disableAutoRequest();
        StreamSession streamSession = new StreamSession(
                new FrameStream(stream), CallerIdentity.current(), engine, streamSessions, environment);
        stream.setOnReadyHandler(streamSession::ready);
        stream.setOnCancelHandler(streamSession::end);
        stream.request(1);
        streamSession.begin();
        return streamSession;
    }
}
