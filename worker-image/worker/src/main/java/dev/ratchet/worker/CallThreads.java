/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.worker.v1.WorkerGrpc;
import io.grpc.Metadata;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which calls of a worker are answered. Membership, other workers and clients have a number of threads
 * each, so that no flood of one kind holds up another; none waits on them for anything but a disk. What submits futures
 * stays on the thread of the network, which it never blocks: each hand-over takes as long as all else that a worker
 * does for a short future, and one call of gRPC has four: its headers, its message, its end, and the next message that
 * is asked for.
 */
final class CallThreads implements ServerCallExecutorSupplier, AutoCloseable {

    static final int CLIENT_THREADS = 64;
    private static final int MEMBERSHIP_THREADS = 16;
    private static final int WORKER_THREADS = 64;
    private static final long IDLE_SECONDS = 60;
    private static final Set<String> SUBMITS = Set.of(
            GatewayGrpc.getSubmitMethod().getFullMethodName(),
            GatewayGrpc.getSubmitSpeculativelyMethod().getFullMethodName());
    private static final Set<String> MEMBERSHIP = Set.of(WorkerGrpc.SERVICE_NAME, CoordinatorGrpc.SERVICE_NAME);

    private final ExecutorService membership = threads("ratchet-membership-call-", MEMBERSHIP_THREADS);
    private final ExecutorService workers = threads("ratchet-worker-call-", WORKER_THREADS);
    private final ExecutorService clients = threads("ratchet-client-call-", CLIENT_THREADS);

    private static ExecutorService threads(String name, int most) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name(name, 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Has the calls of a server answered on these threads. */
    void serve(ServerBuilder<?> builder) {
        builder.directExecutor().callExecutor(this);
    }

    @Override
    public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata headers) {
        String service = String.valueOf(call.getMethodDescriptor().getServiceName());
        if (SUBMITS.contains(call.getMethodDescriptor().getFullMethodName())) {
            return Runnable::run;
        }
        if (service.equals(GatewayGrpc.SERVICE_NAME)) {
            return clients;
        }
        return MEMBERSHIP.contains(service) ? membership : workers;
    }

    @Override
    public void close() {
        membership.shutdown();
        workers.shutdown();
        clients.shutdown();
    }
}
