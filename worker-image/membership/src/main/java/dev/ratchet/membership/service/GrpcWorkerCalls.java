/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.service;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Peers;
import dev.ratchet.membership.coordinator.WorkerCalls;
import dev.ratchet.protocol.worker.v1.CommandRequest;
import dev.ratchet.protocol.worker.v1.Drain;
import dev.ratchet.protocol.worker.v1.HelloRequest;
import dev.ratchet.protocol.worker.v1.WorkerGrpc;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Calls workers over gRPC. */
public final class GrpcWorkerCalls implements WorkerCalls {

    private static final long DEADLINE_MILLIS = 2_000;

    private final Peers peers;

    public GrpcWorkerCalls(Peers peers) {
        this.peers = peers;
    }

    @Override
    public CompletableFuture<Void> hello(Member worker, long term) {
        return future(stub(worker)
                .hello(HelloRequest.newBuilder()
                        .setTerm(term)
                        .setIncarnation(worker.incarnation())
                        .build()));
    }

    @Override
    public CompletableFuture<Void> drain(Member worker, long term, long seq, boolean on, long timeoutMillis) {
        return future(stub(worker)
                .command(CommandRequest.newBuilder()
                        .setTerm(term)
                        .setSeq(seq)
                        .setIncarnation(worker.incarnation())
                        .setDrain(Drain.newBuilder().setOn(on).setTimeoutMillis(timeoutMillis))
                        .build()));
    }

    private WorkerGrpc.WorkerFutureStub stub(Member worker) {
        return WorkerGrpc.newFutureStub(peers.channel(worker.seat(), worker.address()))
                .withDeadlineAfter(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static <T> CompletableFuture<Void> future(ListenableFuture<T> call) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        Futures.addCallback(
                call,
                new FutureCallback<T>() {
                    @Override
                    public void onSuccess(T answer) {
                        future.complete(null);
                    }

                    @Override
                    public void onFailure(Throwable failure) {
                        future.completeExceptionally(failure);
                    }
                },
                MoreExecutors.directExecutor());
        return future;
    }
}
