/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.protocol.client.v1.GatewayGrpc;
import io.grpc.Metadata;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The threads on which calls of a worker are answered: as many as it takes, because some calls read files; but what
 * submits futures stays on the thread of the network, which it never blocks. Each hand-over takes as long as all else
 * that a worker does for a short future, and one call of gRPC has four: its headers, its message, its end, and the next
 * message that is asked for.
 */
final class CallThreads implements ServerCallExecutorSupplier, AutoCloseable {

    private static final Set<String> SUBMITS = Set.of(
            GatewayGrpc.getSubmitMethod().getFullMethodName(),
            GatewayGrpc.getSubmitSpeculativelyMethod().getFullMethodName());

    private final ExecutorService others = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("ratchet-call-", 0).daemon().factory());

    /** Has the calls of a server answered on these threads. */
    void serve(ServerBuilder<?> builder) {
        builder.directExecutor().callExecutor(this);
    }

    @Override
    public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata headers) {
        return SUBMITS.contains(call.getMethodDescriptor().getFullMethodName()) ? Runnable::run : others;
    }

    @Override
    public void close() {
        others.shutdown();
    }
}
