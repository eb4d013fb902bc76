/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.service;

import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.seat.CommandReceiver;
import dev.ratchet.membership.seat.CommandReceiver.Heard;
import dev.ratchet.membership.seat.SeatKeeper;
import dev.ratchet.protocol.worker.v1.CommandReply;
import dev.ratchet.protocol.worker.v1.CommandRequest;
import dev.ratchet.protocol.worker.v1.HelloReply;
import dev.ratchet.protocol.worker.v1.HelloRequest;
import dev.ratchet.protocol.worker.v1.WorkerGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The gRPC service by which the coordinator reaches this worker. */
public final class WorkerService extends WorkerGrpc.WorkerImplBase {

    private final SeatKeeper seat;

    public WorkerService(SeatKeeper seat) {
        this.seat = seat;
    }

    @Override
    public void hello(HelloRequest request, StreamObserver<HelloReply> responses) {
        answer(request.getIncarnation(), responses, () -> {
            Heard heard = seat.commands().hello(request.getTerm());
            return HelloReply.newBuilder()
                    .setTerm(heard.term())
                    .setLastTerm(heard.lastTerm())
                    .setLastSeq(heard.lastSeq())
                    .setDraining(heard.draining())
                    .build();
        });
    }

    @Override
    public void command(CommandRequest request, StreamObserver<CommandReply> responses) {
        answer(request.getIncarnation(), responses, () -> {
            CommandReceiver receiver = seat.commands();
            switch (request.getBodyCase()) {
                case DRAIN ->
                    receiver.order(
                            request.getTerm(),
                            request.getSeq(),
                            new SeatOrder(
                                    request.getDrain().getOn(),
                                    request.getDrain().getPark(),
                                    request.getDrain().getTimeoutMillis()));
                case BODY_NOT_SET ->
                    throw new IllegalArgumentException("A command that this release does not know: term="
                            + request.getTerm() + " seq=" + request.getSeq());
            }
            return CommandReply.newBuilder()
                    .setTerm(request.getTerm())
                    .setSeq(request.getSeq())
                    .build();
        });
    }

    private <T> void answer(long incarnation, StreamObserver<T> responses, Supplier<T> action) {
        if (!seat.isTaken() || seat.incarnation() != incarnation) {
            responses.onError(Status.FAILED_PRECONDITION
                    .withDescription("Meant for incarnation " + incarnation + " of " + seat.name() + ", this is "
                            + (seat.isTaken() ? seat.incarnation() : "none yet"))
                    .asRuntimeException());
            return;
        }
        try {
            CallAnswers.complete(CompletableFuture.completedFuture(action.get()), responses);
        } catch (CommandReceiver.StaleCommandException | IllegalArgumentException refused) {
            responses.onError(CallAnswers.status(refused).asRuntimeException());
        }
    }
}
