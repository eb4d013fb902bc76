/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.protocol.sessions.v1.AskSlotsReply;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.SessionSlotsGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

/** Lets other workers have the sessions of this one opened and closed. Thread-safe; blocks nobody. */
public final class SessionSlotsService extends SessionSlotsGrpc.SessionSlotsImplBase {

    private final SessionHolder holder;

    public SessionSlotsService(SessionHolder holder) {
        this.holder = holder;
    }

    @Override
    public void ask(AskSlotsRequest request, StreamObserver<AskSlotsReply> caller) {
        try {
            AskedSlots.requireUsable(request);
        } catch (IllegalArgumentException refused) {
            caller.onError(Status.INVALID_ARGUMENT
                    .withDescription(refused.getMessage())
                    .asRuntimeException());
            return;
        }
        SessionGrants.together(holder.ask(request.getRequestsList())).thenAccept(all -> {
            caller.onNext(AskSlotsReply.newBuilder().addAllAnswers(all).build());
            caller.onCompleted();
        });
    }
}
