/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.KeyValue;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.session.SessionRequests;
import dev.ratchet.protocol.sessions.v1.AskSlotsReply;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.DescribeSessionRequest;
import dev.ratchet.protocol.sessions.v1.ListSessionsReply;
import dev.ratchet.protocol.sessions.v1.ListSessionsRequest;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** What clients ask this worker about sessions; every worker answers alike, because the truth is in the store. */
final class SessionCalls {

    private static final String OF_ANOTHER = "Somebody else has opened a session of this id.";

    private final SessionRequests sessions;

    SessionCalls(SessionRequests sessions) {
        this.sessions = sessions;
    }

    CompletableFuture<SessionDescription> open(OpenSessionRequest request) {
        return sessions.open(request).thenApply(record -> {
            if (!record.getOwnerSecret().equals(request.getOwnerSecret())) {
                throw new IllegalArgumentException(OF_ANOTHER);
            }
            return described(SessionIds.of(request.getId()), record);
        });
    }

    /** Many at once. What the caller did not ask for itself is not told again. */
    CompletableFuture<AskSlotsReply> ask(AskSlotsRequest request) {
        return sessions.ask(request).thenApply(answers -> {
            AskSlotsReply.Builder reply = AskSlotsReply.newBuilder();
            for (int i = 0; i < answers.size(); i++) {
                reply.addAnswers(told(request.getRequests(i), answers.get(i)));
            }
            return reply.build();
        });
    }

    private static SlotsAnswer told(SlotsRequest request, SlotsAnswer answer) {
        if (!answer.hasSession()) {
            return answer;
        }
        SessionRecord session = answer.getSession();
        if (request.hasOpen()
                && !session.getOwnerSecret().equals(request.getOpen().getOwnerSecret())) {
            return SlotsAnswer.newBuilder().setRefusal(OF_ANOTHER).build();
        }
        return SlotsAnswer.newBuilder()
                .setSession(SessionRecord.newBuilder()
                        .setState(session.getState())
                        .setSeat(session.getSeat())
                        .setReason(session.getReason())
                        .setMessage(session.getMessage()))
                .build();
    }

    CompletableFuture<SessionDescription> close(CloseSessionRequest request) {
        UUID id = SessionIds.of(request.getId());
        return sessions.close(request).thenApply(found -> described(id, known(id, found)));
    }

    CompletableFuture<SessionDescription> describe(DescribeSessionRequest request) {
        UUID id = SessionIds.of(request.getId());
        return sessions.describe(id).thenApply(found -> {
            SessionRecord record = known(id, found);
            ByteString secret = request.getSecret();
            if (!secret.isEmpty()
                    && !secret.equals(record.getOwnerSecret())
                    && !secret.equals(record.getUserSecret())) {
                throw new IllegalArgumentException(
                        "This is not a reference of the session " + id + ": its secret is another one.");
            }
            return described(id, record);
        });
    }

    CompletableFuture<ListSessionsReply> list(ListSessionsRequest request) {
        Optional<UUID> after =
                request.getAfter().isEmpty() ? Optional.empty() : Optional.of(SessionIds.of(request.getAfter()));
        return sessions.page(after).thenApply(rows -> reply(request, rows));
    }

    private ListSessionsReply reply(ListSessionsRequest request, List<KeyValue> rows) {
        ListSessionsReply.Builder reply = ListSessionsReply.newBuilder();
        for (KeyValue row : rows) {
            SessionRecord record = sessions.decode(row);
            boolean isMeant = record.getLabelsMap()
                    .entrySet()
                    .containsAll(request.getLabelsMap().entrySet());
            if (isMeant && (request.getEndedToo() || !SessionIds.isOver(record.getState()))) {
                reply.addSessions(described(sessions.idOf(row), record));
            }
        }
        if (SessionRequests.isFull(rows)) {
            reply.setNext(SessionIds.bytes(sessions.idOf(rows.getLast())));
        }
        return reply.build();
    }

    private static SessionRecord known(UUID id, Optional<SessionRecord> found) {
        return found.orElseThrow(() -> Status.NOT_FOUND
                .withDescription("No session of this cluster has the id " + id
                        + ": it ended long ago, or its reference is of another cluster.")
                .asRuntimeException());
    }

    /** Without what speaks for its program: whoever knows the lease of one can end it, and all that it holds. */
    private SessionDescription described(UUID id, SessionRecord record) {
        SessionRecord.Builder told = record.toBuilder()
                .clearOwnerSecret()
                .clearUserSecret()
                .clearOwner()
                .clearOwnerClaim();
        sessions.lack(record).ifPresent(told::setMessage);
        return SessionDescription.newBuilder()
                .setId(SessionIds.bytes(id))
                .setRecord(told)
                .build();
    }
}
