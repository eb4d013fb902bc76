/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.code.ResultReader;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which thread sends what is submitted: that of the test, or one that is woken for it, which here never begins. */
class SubmitterTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** What other threads were woken for. */
    private final Queue<Runnable> wakes = new ArrayDeque<>();
    /** What has arrived, and waits for an answer. */
    private final Queue<Arrived> arrived = new ArrayDeque<>();

    private final SystemEnvironment environment = new SystemEnvironment();
    private final String name = UUID.randomUUID().toString();
    private boolean knowsSpeculation = true;
    private int arrivedSpeculatively;
    private Server server;
    private GatewayConnection connection;

    private record Arrived(SubmitRequest request, StreamObserver<SubmitReply> client) {
        /** Says that all of it is recorded and done. */
        void answer() {
            SubmitReply.Builder reply = SubmitReply.newBuilder();
            request.getFuturesList()
                    .forEach(future -> reply.addOutcomes(Outcome.newBuilder().setId(future.getId())));
            client.onNext(reply.build());
            client.onCompleted();
        }
    }

    private final class Gateway extends AnsweringGateway {
        @Override
        public void submit(SubmitRequest request, StreamObserver<SubmitReply> client) {
            arrived.add(new Arrived(request, client));
        }

        @Override
        public void submitSpeculatively(SubmitRequest request, StreamObserver<SubmitReply> client) {
            if (knowsSpeculation) {
                arrivedSpeculatively++;
                arrived.add(new Arrived(request, client));
            } else {
                super.submitSpeculatively(request, client);
            }
        }
    }

    private final class Waking implements ForwardingEnvironment {
        @Override
        public SystemEnvironment real() {
            return environment;
        }

        @Override
        public Executor executor() {
            return wakes::add;
        }
    }

    @BeforeEach
    void connect() throws Exception {
        server = InProcessServerBuilder.forName(name)
                .directExecutor()
                .addService(new Gateway())
                .build()
                .start();
        connection = new GatewayConnection(
                "team-a",
                "orders",
                List.of(name),
                target ->
                        InProcessChannelBuilder.forName(target).directExecutor().build(),
                new Waking(),
                LIMIT);
        connection.hello();
    }

    @AfterEach
    void stop() {
        connection.close();
        server.shutdownNow();
        environment.close();
    }

    private Submitter submitter(boolean callersSend) {
        return new Submitter(connection, new Completions(connection, ResultReader.OF_TASKS), callersSend);
    }

    private PendingSubmit future() {
        return future(false);
    }

    private PendingSubmit future(boolean speculative) {
        ByteString id = Ids.bytes(Ids.ofRandom(environment.randomId()));
        return new PendingSubmit(
                Ids.of(id),
                SubmittedFuture.newBuilder().setId(id).setTellEarly(speculative).build(),
                SubmittedFunction.getDefaultInstance(),
                CompletableFuture.completedFuture(null),
                new CompletableFuture<>());
    }

    private void answer() {
        arrived.remove().answer();
    }

    private void submitAndWait(Submitter submitter) {
        PendingSubmit future = future();
        submitter.submit(future);
        submitter.hurry();
        answer();
        assertThat(future.submitted()).isCompleted();
    }

    @Test
    void whoWaitsForOneFutureAfterTheOtherSendsEachWithoutWakingAnybody() {
        Submitter submitter = submitter(true);
        submitAndWait(submitter);
        wakes.clear();

        for (int i = 0; i < 3; i++) {
            submitter.submit(future());
            assertThat(arrived).hasSize(1);
            submitter.hurry();
            answer();
        }

        assertThat(wakes).isEmpty();
    }

    @Test
    void whatFollowsBeforeAnybodyWaitsTravelsTogether() {
        Submitter submitter = submitter(true);
        submitAndWait(submitter);
        wakes.clear();

        submitter.submit(future());
        submitter.submit(future());
        submitter.submit(future());
        assertThat(wakes).hasSize(1);
        wakes.remove().run();

        assertThat(arrived).extracting(one -> one.request().getFuturesCount()).containsExactly(1, 2);
        answer();
        answer();
        submitter.hurry();
        submitter.submit(future());
        assertThat(arrived).isEmpty();
        assertThat(wakes).hasSize(1);
    }

    @Test
    void whoeverHasAValueSendsTheNextWhileAFewAreRecordedAndThenWaits() {
        Submitter submitter = submitter(true);
        submitAndWait(submitter);
        wakes.clear();

        for (int i = 1; i <= 16; i++) {
            submitter.submit(future(true));
            assertThat(arrived).hasSize(i);
            submitter.hurry();
        }
        submitter.submit(future(true));
        submitter.hurry();
        assertThat(arrived).as("that many unrecorded messages").hasSize(16);

        answer();
        assertThat(arrived).as("one is recorded and one is sent").hasSize(16);
        assertThat(arrivedSpeculatively).isEqualTo(17);
        assertThat(wakes).isEmpty();
    }

    @Test
    void speculationLeavesTheOthersTheirMessages() {
        Submitter submitter = submitter(true);
        submitAndWait(submitter);
        for (int i = 0; i < 16; i++) {
            submitter.submit(future(true));
            submitter.hurry();
        }

        for (int i = 0; i < 3; i++) {
            submitter.submit(future());
            submitter.hurry();
        }

        assertThat(arrived).as("two more, and none beyond that").hasSize(18);
        assertThat(arrivedSpeculatively).isEqualTo(16);
    }

    @Test
    void aWorkerThatKnowsNoSpeculationIsAskedPlainly() {
        knowsSpeculation = false;
        Submitter submitter = submitter(true);
        PendingSubmit future = future(true);
        submitter.submit(future);
        submitter.hurry();

        assertThat(arrived.element().request().getMayRunFirst())
                .as("for the first time")
                .isTrue();
        answer();
        assertThat(future.submitted()).isCompleted();
    }

    @Test
    void whatATaskSubmitsIsSentWhenItWaits() {
        Submitter submitter = submitter(false);
        submitAndWait(submitter);

        submitter.submit(future());
        assertThat(arrived).isEmpty();
        submitter.hurry();
        assertThat(arrived).hasSize(1);
    }
}
