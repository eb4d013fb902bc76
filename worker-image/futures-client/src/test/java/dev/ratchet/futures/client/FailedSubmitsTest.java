/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.code.ResultReader;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.Refusal;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why a future fails that takes one which could not be submitted: for the reason of the first. */
class FailedSubmitsTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Set<FutureId> recorded = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> firstArrived = new CompletableFuture<>();
    private final CompletableFuture<Void> allSubmitted = new CompletableFuture<>();
    private volatile boolean admitted;
    private ServedGateway served;
    private Submitter submitter;

    /** Lets in only who is admitted, and refuses what takes a future that it does not know. */
    private final class Refusing extends AnsweringGateway {
        @Override
        public void submit(SubmitRequest request, StreamObserver<SubmitReply> client) {
            firstArrived.complete(null);
            allSubmitted.join();
            if (!admitted) {
                admitted = true;
                client.onError(
                        Status.PERMISSION_DENIED.withDescription("team-b").asRuntimeException());
                return;
            }
            SubmitReply.Builder reply = SubmitReply.newBuilder();
            for (SubmittedFuture future : request.getFuturesList()) {
                future.getUpstreamsList().stream()
                        .map(Ids::of)
                        .filter(upstream -> !recorded.contains(upstream))
                        .findFirst()
                        .ifPresentOrElse(
                                unknown -> reply.addRefusals(Refusal.newBuilder()
                                        .setId(future.getId())
                                        .setMessage("The upstream " + unknown + " is not known to this cluster.")),
                                () -> recorded.add(Ids.of(future.getId())));
            }
            client.onNext(reply.build());
            client.onCompleted();
        }
    }

    @BeforeEach
    void start() throws IOException {
        served = ServedGateway.of(new Refusing(), environment, Duration.ofSeconds(20));
        submitter =
                new Submitter(served.connection(), new Completions(served.connection(), ResultReader.OF_TASKS), true);
    }

    @AfterEach
    void stop() {
        served.close();
        environment.close();
    }

    @Test
    void aChainBehindAFutureOfAClientThatWasNotLetInFailsForThat() {
        PendingSubmit first = submit();
        assertThat(firstArrived).as("the first, in a message of its own").succeedsWithin(LIMIT);
        PendingSubmit second = submit(first.id());
        PendingSubmit third = submit(second.id());
        allSubmitted.complete(null);

        for (PendingSubmit behind : List.of(first, second, third)) {
            assertThatThrownBy(() -> await(behind))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("do not accept this client: team-b");
        }
        assertThatThrownBy(() -> await(third))
                .as("what a long chain tells: the first reason, once")
                .hasCause(first.submitted().exceptionNow());
        PendingSubmit other = submit();
        assertThat(other.submitted()).succeedsWithin(LIMIT);
        assertThat(recorded).containsExactly(other.id());
    }

    @Test
    void anUnknownUpstreamThatNobodyHereHasSubmittedIsAMistakeOfTheProgram() {
        admitted = true;
        allSubmitted.complete(null);
        FutureId unknown = FutureId.random();

        PendingSubmit future = submit(unknown);

        assertThatThrownBy(() -> await(future))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("The upstream " + unknown + " is not known to this cluster.");
    }

    @Test
    void whatIsSubmittedAgainUnderTheSameIdIsNoReasonAnyMore() {
        PendingSubmit first = submit();
        allSubmitted.complete(null);
        assertThatThrownBy(() -> await(first)).isInstanceOf(ConnectionException.class);

        PendingSubmit again = submitAs(first.id(), List.of());
        assertThat(again.submitted()).succeedsWithin(LIMIT);
        recorded.remove(first.id());

        assertThatThrownBy(() -> await(submit(first.id()))).isInstanceOf(InvalidInputException.class);
    }

    private void await(PendingSubmit pending) throws Throwable {
        try {
            pending.submitted().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause();
        }
    }

    private PendingSubmit submit(FutureId... upstreams) {
        return submitAs(FutureId.random(), List.of(upstreams));
    }

    private PendingSubmit submitAs(FutureId id, List<FutureId> upstreams) {
        PendingSubmit pending = new PendingSubmit(
                id,
                SubmittedFuture.newBuilder()
                        .setId(Ids.bytes(id))
                        .addAllUpstreams(upstreams.stream().map(Ids::bytes).toList())
                        .build(),
                SubmittedFunction.getDefaultInstance(),
                CompletableFuture.completedFuture(null),
                new CompletableFuture<>());
        submitter.submit(pending);
        return pending;
    }
}
