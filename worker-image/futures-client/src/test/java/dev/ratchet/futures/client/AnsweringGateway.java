/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.HelloReply;
import dev.ratchet.protocol.client.v1.HelloRequest;
import io.grpc.stub.StreamObserver;

/** A worker that takes any client; what else it does is for the test to say. */
abstract class AnsweringGateway extends GatewayGrpc.GatewayImplBase {

    @Override
    public final void hello(HelloRequest request, StreamObserver<HelloReply> client) {
        client.onNext(HelloReply.getDefaultInstance());
        client.onCompleted();
    }
}
