/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.StepExpiredException;
import dev.ratchet.client.ViewRow;
import dev.ratchet.client.ViewStep;
import dev.ratchet.client.ViewSubscription;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.ViewRowCodec;
import dev.ratchet.protocol.client.v1.CompleteStep;
import dev.ratchet.protocol.client.v1.FollowViewReply;
import dev.ratchet.protocol.client.v1.FollowViewRequest;
import dev.ratchet.protocol.client.v1.WeightedRow;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A listener hears whole steps, each once, from streams that break. */
class RemoteSubscriptionTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final BlockingQueue<Stream> streams = new LinkedBlockingQueue<>();
    private final BlockingQueue<ViewStep> heard = new LinkedBlockingQueue<>();
    private ServedGateway served;

    /** One call of a client, as a test answers it. */
    private record Stream(FollowViewRequest request, ServerCallStreamObserver<FollowViewReply> client) {

        void row(long id, long weight) {
            ViewRow row = new ViewRow(List.of("id"), List.of(id));
            client.onNext(FollowViewReply.newBuilder()
                    .addColumns("id")
                    .addRows(WeightedRow.newBuilder()
                            .setValues(ViewRowCodec.encode(row))
                            .setWeight(weight))
                    .build());
        }

        void complete(long step) {
            client.onNext(FollowViewReply.newBuilder()
                    .setComplete(CompleteStep.newBuilder().setStep(step).setPosition("p" + step))
                    .build());
        }
    }

    @BeforeEach
    void serve() throws IOException {
        AnsweringGateway gateway = new AnsweringGateway() {
            @Override
            public void followView(FollowViewRequest request, StreamObserver<FollowViewReply> client) {
                ServerCallStreamObserver<FollowViewReply> call = (ServerCallStreamObserver<FollowViewReply>) client;
                call.setOnCancelHandler(() -> {});
                streams.add(new Stream(request, call));
            }
        };
        served = ServedGateway.of(gateway, environment, LIMIT);
    }

    @AfterEach
    void stop() {
        served.close();
        environment.close();
    }

    private ViewSubscription subscribe(OptionalLong after) {
        return new RemoteSubscription(served.connection(), "totals", after, heard::add).begin();
    }

    private <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).as("within %s", LIMIT).isNotNull();
        return next;
    }

    private static void assertEnds(ViewSubscription subscription, Class<? extends Throwable> type, String message) {
        assertThatThrownBy(() -> subscription.ended().get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(type)
                .cause()
                .hasMessageContaining(message);
    }

    @Test
    void aStreamThatBreaksGoesOnBehindTheLastWholeStep() throws Exception {
        try (ViewSubscription totals = subscribe(OptionalLong.empty())) {
            Stream first = next(streams);
            assertThat(first.request().hasAfterStep()).isFalse();
            assertThat(totals.step()).isEmpty();
            first.client().onNext(FollowViewReply.newBuilder().setSnapshot(true).build());
            first.row(1, 2);
            first.complete(4);
            ViewStep snapshot = next(heard);
            assertThat(snapshot.isSnapshot()).isTrue();
            assertThat(snapshot.position()).isEqualTo("p4");
            assertThat(snapshot.changes())
                    .extracting(change -> change.row() + " " + change.ordinal() + " " + change.weight())
                    .containsExactly("{id=1} 0 1", "{id=1} 1 1");
            first.row(2, 1);
            first.client().onError(Status.UNAVAILABLE.asRuntimeException());

            Stream second = next(streams);
            assertThat(second.request().getAfterStep()).isEqualTo(4);
            second.row(2, 1);
            second.row(1, -2);
            second.complete(5);
            second.complete(7);
            ViewStep changed = next(heard);
            assertThat(changed.isSnapshot()).isFalse();
            assertThat(changed.step()).isEqualTo(5);
            assertThat(changed.changes())
                    .extracting(change -> change.row() + " " + change.ordinal() + " " + change.weight())
                    .containsExactly("{id=2} 0 1", "{id=1} 0 -1", "{id=1} 1 -1");
            assertThat(next(heard)).isEqualTo(new ViewStep("totals", 7, "p7", false, List.of()));
            await().atMost(LIMIT).until(() -> totals.step().equals(OptionalLong.of(7)));
        }
    }

    @Test
    void whatCanNotBeFollowedIsToldWithItsRemedy() throws Exception {
        ViewSubscription expired = subscribe(OptionalLong.of(3));
        Stream stream = next(streams);
        assertThat(stream.request().getAfterStep()).isEqualTo(3);
        stream.client()
                .onError(Status.OUT_OF_RANGE
                        .withDescription("Changes are kept from step 9 on; Begin with a snapshot")
                        .asRuntimeException());
        assertEnds(expired, StepExpiredException.class, "Begin with a snapshot");

        ViewSubscription unknown = subscribe(OptionalLong.empty());
        next(streams)
                .client()
                .onError(Status.INVALID_ARGUMENT
                        .withDescription("There is no view 'totals'")
                        .asRuntimeException());
        assertEnds(unknown, InvalidInputException.class, "There is no view");

        ViewSubscription large = subscribe(OptionalLong.empty());
        next(streams).row(1, 1_000_001);
        assertEnds(large, InvalidInputException.class, "more than 1000000 changes");
    }

    @Test
    void aStepWhoseListenerThrowsDoesNotCountAsHeard() throws Exception {
        ViewSubscription subscription = new RemoteSubscription(
                        served.connection(), "totals", OptionalLong.empty(), step -> {
                            if (step.step() == 2) {
                                throw new IllegalArgumentException("planted");
                            }
                            heard.add(step);
                        })
                .begin();
        Stream stream = next(streams);
        stream.complete(1);
        assertThat(next(heard).step()).isEqualTo(1);
        stream.complete(2);
        stream.complete(3);
        assertEnds(subscription, IllegalArgumentException.class, "planted");
        await().atMost(LIMIT).until(() -> stream.client().isCancelled());
        assertThat(subscription.step()).hasValue(1);
        assertThat(heard).isEmpty();
    }

    @Test
    void closingEndsItAndNothingElse() throws Exception {
        ViewSubscription closed = subscribe(OptionalLong.empty());
        Stream stream = next(streams);
        ViewSubscription other = subscribe(OptionalLong.of(0));
        Stream stays = next(streams);
        closed.close();
        closed.ended().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        await().atMost(LIMIT).until(() -> stream.client().isCancelled());
        stays.complete(1);
        assertThat(next(heard).step()).isEqualTo(1);
        assertThat(served.connection()
                        .channel()
                        .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                        .isShutdown())
                .isFalse();
        served.connection().close();
        assertEnds(other, ConnectionException.class, "is closed");
    }
}
