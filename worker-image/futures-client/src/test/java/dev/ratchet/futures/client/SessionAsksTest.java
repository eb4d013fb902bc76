/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.sessions.v1.AskSlotsReply;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a client has sessions opened and closed. */
class SessionAsksTest {

    private static final SessionOptions OPTIONS = SessionOptions.defaults().withDetachment();
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int CALLERS = 50;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch answered = new CountDownLatch(1);
    private ServedGateway served;

    @AfterEach
    void stop() {
        served.close();
        environment.close();
    }

    /** A worker of a release that knows sessions one by one. */
    private class Former extends AnsweringGateway {
        @Override
        public void openSession(OpenSessionRequest request, StreamObserver<SessionDescription> client) {
            calls.add("open");
            answer(client, SessionState.SESSION_STATE_OPEN);
        }

        @Override
        public void closeSession(CloseSessionRequest request, StreamObserver<SessionDescription> client) {
            calls.add("close");
            answer(client, SessionState.SESSION_STATE_CLOSED);
        }

        private void answer(StreamObserver<SessionDescription> client, SessionState state) {
            client.onNext(
                    SessionDescription.newBuilder().setRecord(record(state)).build());
            client.onCompleted();
        }
    }

    /** One that answers many at once, when the test lets it, and refuses what has another name. */
    private final class Asked extends Former {
        @Override
        public void askSessions(AskSlotsRequest request, StreamObserver<AskSlotsReply> client) {
            calls.add("ask " + request.getRequestsCount());
            Runnable answering = () -> {
                AskSlotsReply.Builder reply = AskSlotsReply.newBuilder();
                request.getRequestsList().forEach(one -> {
                    SlotsAnswer.Builder answer = reply.addAnswersBuilder();
                    if (one.hasClose()) {
                        answer.setSession(record(SessionState.SESSION_STATE_CLOSED));
                    } else if (one.getOpen().getName().equals("waits")) {
                        answer.setSession(record(SessionState.SESSION_STATE_WAITING));
                    } else if (one.getOpen().getName().isEmpty()) {
                        answer.setSession(record(SessionState.SESSION_STATE_OPEN));
                    } else {
                        answer.setRefusal("no such name");
                    }
                });
                client.onNext(reply.build());
                client.onCompleted();
            };
            Thread.ofVirtual().start(() -> {
                pass();
                answering.run();
            });
        }
    }

    private void pass() {
        try {
            assertThat(answered.await(30, TimeUnit.SECONDS))
                    .as("the test lets it go on")
                    .isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static SessionRecord record(SessionState state) {
        return SessionRecord.newBuilder().setState(state).setSeat("orders-w-0").build();
    }

    @Test
    void whatComesWhileCallsAreOnTheirWaySharesTheNext() throws Exception {
        try (GatewayConnection connection = connection(new Asked())) {
            SessionAsks asks = new SessionAsks(connection);
            List<CompletableFuture<SlotsAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                answers.add(asks.ask(SlotsRequest.newBuilder()
                        .setOpen(OpenSessionRequest.getDefaultInstance())
                        .build()));
            }
            answered.countDown();
            for (CompletableFuture<SlotsAnswer> answer : answers) {
                assertThat(answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS).hasSession())
                        .isTrue();
            }
        }
        // The first, the second that may be on its way beside it and arrive before it, and the one for all others.
        assertThat(calls).hasSizeLessThanOrEqualTo(3).contains("ask 1");
        requireAskedFor(CALLERS);
    }

    @Test
    void manyThreadsOpenAndCloseEachItsOwn() throws Exception {
        answered.countDown();
        try (RemoteRatchet ratchet = connect(new Asked())) {
            List<Thread> callers = new ArrayList<>();
            IntStream.range(0, CALLERS)
                    .forEach(i -> callers.add(Thread.ofPlatform().start(() -> openAndClose(ratchet))));
            for (Thread caller : callers) {
                assertThat(caller.join(LIMIT)).as("a caller has ended").isTrue();
            }
        }
        requireAskedFor(2 * CALLERS);
    }

    private void requireAskedFor(int sessions) {
        assertThat(calls).allMatch(call -> call.startsWith("ask "));
        assertThat(calls.stream()
                        .mapToInt(call -> Integer.parseInt(call.substring(4)))
                        .sum())
                .isEqualTo(sessions);
    }

    private static void openAndClose(RemoteRatchet ratchet) {
        try (Session session = ratchet.sessions().open(OPTIONS)) {
            assertThat(session).isNotNull();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void whatWaitsIsAskedForByItselfAndWhatIsRefusedIsSaid() throws Exception {
        answered.countDown();
        try (RemoteRatchet ratchet = connect(new Asked())) {
            ratchet.sessions().open(OPTIONS.withName("waits")).close();
            assertThat(calls).containsExactly("ask 1", "open", "ask 1");
            assertThatThrownBy(() -> ratchet.sessions().open(OPTIONS.withName("other")))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("no such name");
        }
    }

    @Test
    void aWorkerOfAFormerReleaseIsAskedForEach() throws Exception {
        try (RemoteRatchet ratchet = connect(new Former())) {
            openAndClose(ratchet);
        }
        assertThat(calls).containsExactly("open", "close");
    }

    @Test
    void aWorkerOfAFormerReleaseIsNotAskedForASessionThatRequiresLabels() throws Exception {
        try (RemoteRatchet ratchet = connect(new Former())) {
            assertThatThrownBy(() -> ratchet.sessions().open(OPTIONS.withWorkerLabel("zone", "a")))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("a release that does not know labels of workers");
        }
        assertThat(calls).isEmpty();
    }

    private RemoteRatchet connect(AnsweringGateway gateway) throws IOException {
        return new RemoteRatchet(connection(gateway), ConnectionOptions.ofDocument("{}"), () -> {});
    }

    private GatewayConnection connection(AnsweringGateway gateway) throws IOException {
        served = ServedGateway.of(gateway, environment, LIMIT);
        return served.connection();
    }
}
