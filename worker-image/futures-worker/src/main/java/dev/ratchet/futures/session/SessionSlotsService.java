/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.protocol.sessions.v1.AskSlotsReply;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.SessionSlotsGrpc;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lets other workers have the sessions of this one opened and closed. Thread-safe; blocks nobody. */
public final class SessionSlotsService extends SessionSlotsGrpc.SessionSlotsImplBase {

    private final SessionHolder holder;

    public SessionSlotsService(SessionHolder holder) {
        this.holder = holder;
    }

    @Override
    public void ask(AskSlotsRequest request, StreamObserver<AskSlotsReply> caller) {
        try {
            requireUsable(request);
        } catch (IllegalArgumentException refused) {
            caller.onError(Status.INVALID_ARGUMENT
                    .withDescription(refused.getMessage())
                    .asRuntimeException());
            return;
        }
        List<CompletableFuture<SlotsAnswer>> answers =
                request.getRequestsList().stream().map(holder::ask).toList();
        SessionGrants.together(answers).thenAccept(all -> {
            caller.onNext(AskSlotsReply.newBuilder().addAllAnswers(all).build());
            caller.onCompleted();
        });
    }

    private static void requireUsable(AskSlotsRequest request) {
        if (request.getRequestsCount() > AskedSlots.ROUND_MAX) {
            throw new IllegalArgumentException("At most " + AskedSlots.ROUND_MAX
                    + " requests are answered at once, not " + request.getRequestsCount() + ".");
        }
        request.getRequestsList().forEach(one -> SessionIds.of(AskedSlots.id(one)));
    }
}
