/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.service;

import dev.ratchet.membership.Member;
import dev.ratchet.membership.Peers;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.coordinator.WorkerCalls;
import dev.ratchet.protocol.worker.v1.CommandReply;
import dev.ratchet.protocol.worker.v1.CommandRequest;
import dev.ratchet.protocol.worker.v1.Drain;
import dev.ratchet.protocol.worker.v1.HelloReply;
import dev.ratchet.protocol.worker.v1.HelloRequest;
import dev.ratchet.protocol.worker.v1.WorkerGrpc;
import io.grpc.stub.StreamObserver;
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
        Completion<HelloReply> completion = new Completion<>();
        stub(worker)
                .hello(
                        HelloRequest.newBuilder()
                                .setTerm(term)
                                .setIncarnation(worker.incarnation())
                                .build(),
                        completion);
        return completion.answered;
    }

    @Override
    public CompletableFuture<Void> order(Member worker, long term, long seq, SeatOrder order) {
        Completion<CommandReply> completion = new Completion<>();
        stub(worker)
                .command(
                        CommandRequest.newBuilder()
                                .setTerm(term)
                                .setSeq(seq)
                                .setIncarnation(worker.incarnation())
                                .setDrain(Drain.newBuilder()
                                        .setOn(order.drain())
                                        .setTimeoutMillis(order.timeoutMillis())
                                        .setPark(order.park()))
                                .build(),
                        completion);
        return completion.answered;
    }

    private WorkerGrpc.WorkerStub stub(Member worker) {
        return WorkerGrpc.newStub(peers.channel(worker.seat(), worker.address()))
                .withDeadlineAfter(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static final class Completion<T> implements StreamObserver<T> {
        private final CompletableFuture<Void> answered = new CompletableFuture<>();

        @Override
        public void onNext(T answer) {
            answered.complete(null);
        }

        @Override
        public void onError(Throwable failure) {
            answered.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            answered.complete(null);
        }
    }
}
