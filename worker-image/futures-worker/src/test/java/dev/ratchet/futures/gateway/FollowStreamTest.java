/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.ViewRow;
import dev.ratchet.client.ViewSnapshot;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.client.v1.FollowViewReply;
import dev.ratchet.protocol.client.v1.FollowViewRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client of a view is sent, and when it is sent nothing. */
class FollowStreamTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Client client = new Client();

    @AfterEach
    void stop() {
        environment.close();
    }

    /** A client that takes messages while the test lets it. */
    private static final class Client extends ServerCallStreamObserver<FollowViewReply> {
        private final BlockingQueue<FollowViewReply> taken = new LinkedBlockingQueue<>();
        private volatile boolean isReady = true;
        private volatile Throwable failure;
        private Runnable onReady = () -> {};
        private Runnable onCancel = () -> {};

        void ready(boolean ready) {
            isReady = ready;
            onReady.run();
        }

        void leave() {
            onCancel.run();
        }

        @Override
        public boolean isReady() {
            return isReady;
        }

        @Override
        public void onNext(FollowViewReply piece) {
            taken.add(piece);
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            onReady = handler;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {
            onCancel = handler;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setCompression(String compression) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void onError(Throwable why) {
            failure = why;
        }

        @Override
        public void onCompleted() {}
    }

    private static ViewRow row(String text) {
        return new ViewRow(List.of("text"), List.of(text));
    }

    private static Status.Code code(CompletableFuture<Void> told) throws InterruptedException {
        try {
            told.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            return Status.Code.OK;
        } catch (ExecutionException failed) {
            return Status.fromThrowable(failed.getCause()).getCode();
        } catch (TimeoutException late) {
            throw new CompletionException(late);
        }
    }

    @Test
    void aStepIsSentInPiecesAndWhatIsVoidIsNot() {
        FollowStream stream = new FollowStream(client, environment);
        stream.row(row("void"), 1);
        stream.beginSnapshot();
        for (int row = 0; row < 5; row++) {
            stream.row(row("x".repeat(100_000)), 1);
        }
        stream.complete(3, "p3");
        List<FollowViewReply> pieces = List.copyOf(client.taken);
        assertThat(pieces).extracting(FollowViewReply::getRowsCount).containsExactly(3, 2);
        assertThat(pieces).extracting(FollowViewReply::getSnapshot).containsExactly(true, false);
        assertThat(pieces).extracting(FollowViewReply::hasComplete).containsExactly(false, true);
        assertThat(pieces.getFirst().getColumnsList()).containsExactly("text");
        assertThat(pieces.getLast().getComplete().getPosition()).isEqualTo("p3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stream.row(row("x".repeat(4 << 20)), 1))
                .withMessageContaining("more than 3 MiB");
    }

    @Test
    void noMoreIsSentThanTheClientTakes() throws Exception {
        FollowStream stream = new FollowStream(client, environment);
        client.ready(false);
        CompletableFuture<Void> told = new CompletableFuture<>();
        Thread teller = Thread.ofVirtual().start(() -> {
            stream.complete(1, "");
            told.complete(null);
        });
        await().atMost(LIMIT).until(() -> teller.getState() == Thread.State.TIMED_WAITING);
        assertThat(client.taken).isEmpty();
        client.ready(true);
        assertThat(code(told)).isEqualTo(Status.Code.OK);
        assertThat(client.taken).hasSize(1);
    }

    @Test
    void whoIsGoneIsNotWaitedFor() throws Exception {
        FollowStream stream = new FollowStream(client, environment);
        client.ready(false);
        CompletableFuture<Void> told =
                CompletableFuture.runAsync(() -> stream.complete(1, ""), environment.blockingExecutor());
        assertThat(stream.hasEnded()).isFalse();
        client.leave();
        assertThat(code(told)).isEqualTo(Status.Code.CANCELLED);
        assertThat(stream.hasEnded()).isTrue();
    }

    @Test
    void whoTakesNothingForAMinuteIsToldToComeAgain() throws Exception {
        AtomicLong nanos = new AtomicLong();
        FollowStream stream = new FollowStream(client, clock(nanos));
        client.ready(false);
        CompletableFuture<Void> told =
                CompletableFuture.runAsync(() -> stream.complete(1, ""), environment.blockingExecutor());
        await().atMost(LIMIT).until(() -> {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
            client.ready(false);
            return told.isDone();
        });
        assertThat(code(told)).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(client.taken).isEmpty();
    }

    /** Follows until the test ends it. */
    private static final class Source implements ViewSource {
        private final BlockingQueue<CompletableFuture<Void>> follows = new LinkedBlockingQueue<>();

        @Override
        public CompletableFuture<ViewSnapshot> read(String view) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public CompletableFuture<ViewSnapshot> query(String sql) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public CompletableFuture<Void> follow(String view, Optional<Long> after, ViewFollower follower) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            follows.add(end);
            return end;
        }
    }

    @Test
    void aWorkerIsFollowedSoManyTimesAtOnce() {
        Source source = new Source();
        ViewCalls calls = new ViewCalls();
        calls.from(source, null, null);
        FollowViewRequest request =
                FollowViewRequest.newBuilder().setView("totals").build();
        for (int follow = 0; follow < 256; follow++) {
            calls.follow(request, new Client(), environment);
        }
        calls.follow(request, client, environment);
        assertThat(client.failure).hasMessageContaining("followed here 256 times; ask another worker");
        assertThat(source.follows).hasSize(256);
        source.follows.remove().complete(null);
        Client next = new Client();
        calls.follow(request, next, environment);
        assertThat(next.failure).isNull();
        assertThat(source.follows).hasSize(256);
    }

    private Environment clock(AtomicLong nanos) {
        return new Environment() {
            @Override
            public long nanoTime() {
                return nanos.get();
            }

            @Override
            public long wallClockMillis() {
                return environment.wallClockMillis();
            }

            @Override
            public Executor executor() {
                return environment.executor();
            }

            @Override
            public Cancellable schedule(long delayMillis, Runnable task) {
                return environment.schedule(delayMillis, task);
            }

            @Override
            public RandomGenerator random() {
                return environment.random();
            }
        };
    }
}
