/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.protocol.client.v1.GatewayGrpc.GatewayStub;
import dev.ratchet.protocol.sessions.v1.AskSlotsReply;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Has sessions opened and closed for all callers of a connection, many in one call: what comes while calls are on their
 * way waits for the next. Safe for use by several threads.
 */
final class SessionAsks {

    private static final int CALLS_MAX = 2;

    /** As many as a worker answers at once. */
    private static final int REQUESTS_MAX = 200;

    private final GatewayConnection connection;
    private final Deque<Asked> waiting = new ArrayDeque<>();
    private int calls;
    private boolean planned;
    /** Whether the last call was made for one caller: so may be the next. */
    private boolean oneByOne = true;

    private record Asked(SlotsRequest request, CompletableFuture<SlotsAnswer> answer) {}

    SessionAsks(GatewayConnection connection) {
        this.connection = connection;
    }

    /**
     * Asks for one.
     *
     * @return what has become of the session; neither that nor a refusal where it has to be asked for by itself. Fails
     *     as {@link GatewayConnection#call}
     */
    CompletableFuture<SlotsAnswer> ask(SlotsRequest request) {
        Asked asked = new Asked(request, new CompletableFuture<>());
        boolean alone;
        boolean plans;
        synchronized (this) {
            waiting.add(asked);
            alone = oneByOne && calls == 0 && !planned;
            plans = !alone && !planned && calls < CALLS_MAX;
            planned |= plans;
        }
        if (alone) {
            sendNext();
        } else if (plans) {
            // Others that were answered with this one ask next.
            connection.environment().executor().execute(this::sendNext);
        }
        return asked.answer();
    }

    private void sendNext() {
        List<Asked> next = new ArrayList<>();
        synchronized (this) {
            planned = false;
            if (calls == CALLS_MAX) {
                return;
            }
            while (!waiting.isEmpty() && next.size() < REQUESTS_MAX) {
                next.add(waiting.remove());
            }
            if (next.isEmpty()) {
                return;
            }
            calls++;
        }
        AskSlotsRequest.Builder request = AskSlotsRequest.newBuilder();
        next.forEach(one -> request.addRequests(one.request()));
        AskSlotsRequest whole = request.build();
        GuardedCallbacks.begin(() -> connection.<AskSlotsReply>call((stub, reply) ->
                        // Whoever waits is only woken, which the thread of the network may do.
                        ask(stub.withExecutor(Runnable::run), whole, reply)))
                .whenComplete((reply, failure) -> answered(next, reply, failure));
    }

    /**
     * A worker of a release that does not know the call says nothing of any, but would open a session on a worker
     * without the labels that are required, of which that release does not know either.
     */
    private static void ask(GatewayStub worker, AskSlotsRequest request, StreamObserver<AskSlotsReply> reply) {
        worker.askSessions(request, new StreamObserver<>() {
            @Override
            public void onNext(AskSlotsReply answers) {
                reply.onNext(answers);
            }

            @Override
            public void onError(Throwable failure) {
                if (Status.fromThrowable(failure).getCode() == Status.Code.UNIMPLEMENTED) {
                    AskSlotsReply.Builder answers = AskSlotsReply.newBuilder();
                    request.getRequestsList().forEach(one -> answers.addAnswers(ofFormerRelease(one)));
                    reply.onNext(answers.build());
                } else {
                    reply.onError(failure);
                }
            }

            @Override
            public void onCompleted() {
                reply.onCompleted();
            }
        });
    }

    private static SlotsAnswer ofFormerRelease(SlotsRequest request) {
        return request.getOpen().getDemand().getWorkerLabelsCount() == 0
                ? SlotsAnswer.getDefaultInstance()
                : SlotsAnswer.newBuilder()
                        .setRefusal("The worker that was asked is of a release that does not know labels of workers."
                                + " Ask again once the upgrade of the cluster is finalized, or require none.")
                        .build();
    }

    private void answered(List<Asked> asked, @Nullable AskSlotsReply reply, @Nullable Throwable failure) {
        synchronized (this) {
            calls--;
            oneByOne = asked.size() == 1;
        }
        GuardedCallbacks.run("asking for sessions that wait", this::sendNext);
        for (int i = 0; i < asked.size(); i++) {
            CompletableFuture<SlotsAnswer> answer = asked.get(i).answer();
            if (reply == null) {
                answer.completeExceptionally(failure == null ? new IllegalStateException("No answer") : failure);
            } else {
                answer.complete(i < reply.getAnswersCount() ? reply.getAnswers(i) : SlotsAnswer.getDefaultInstance());
            }
        }
    }
}
