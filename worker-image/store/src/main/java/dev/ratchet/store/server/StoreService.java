/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.protocol.security.Caller;
import dev.ratchet.protocol.store.v1.ClientFrame;
import dev.ratchet.protocol.store.v1.ServerFrame;
import dev.ratchet.protocol.store.v1.StoreGrpc;
import dev.ratchet.store.environment.Environment;
import dev.ratchet.store.transaction.StoreConnection;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * The service behind the store's port: each stream is a {@link Visit}. Frames are read one at a time, so that a client
 * that does not take its answers is not read from either.
 */
final class StoreService extends StoreGrpc.StoreImplBase {

    private final StoreConnection engine;
    private final Reception reception;
    private final Environment environment;

    StoreService(StoreConnection engine, Reception reception, Environment environment) {
        this.engine = engine;
        this.reception = reception;
        this.environment = environment;
    }

    @Override
    public StreamObserver<ClientFrame> session(StreamObserver<ServerFrame> answers) {
        ServerCallStreamObserver<ServerFrame> stream = (ServerCallStreamObserver<ServerFrame>) answers;
        stream.disableAutoRequest();
        Visit visit = new Visit(new FrameStream(stream), Caller.current(), engine, reception, environment);
        stream.setOnReadyHandler(visit::ready);
        stream.setOnCancelHandler(visit::end);
        stream.request(1);
        visit.begin();
        return visit;
    }
}
