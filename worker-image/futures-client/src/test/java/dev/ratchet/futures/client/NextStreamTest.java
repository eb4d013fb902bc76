/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.BlockOutcome;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a client asks another worker for what it awaits, the stream to the one before having ended. */
class NextStreamTest {

    private static final long LIMIT_SECONDS = 60;

    private final SystemEnvironment real = new SystemEnvironment();
    private final AtomicLong nanos = new AtomicLong();
    /** What was put off, in milliseconds: it never happens here. */
    private final List<Long> putOff = new CopyOnWriteArrayList<>();

    private final BlockingQueue<StreamObserver<OutcomeBatch>> streams = new LinkedBlockingQueue<>();
    private ServedGateway served;

    private final class StandingClock implements ForwardingEnvironment {
        @Override
        public Environment real() {
            return real;
        }

        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public Cancellable schedule(long delayMillis, Runnable task) {
            if (delayMillis == 0) {
                return real.schedule(0, task);
            }
            putOff.add(delayMillis);
            return () -> {};
        }
    }

    private final class Worker extends AnsweringGateway {
        @Override
        public StreamObserver<AwaitRequest> await(StreamObserver<OutcomeBatch> client) {
            streams.add(client);
            return new StreamObserver<>() {
                @Override
                public void onNext(AwaitRequest request) {}

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onCompleted() {}
            };
        }
    }

    private static final class Nobody implements OutcomeFeed.Sink {
        @Override
        public void done(FutureId id, Outcome outcome) {}

        @Override
        public void done(FutureId block, BlockOutcome outcome) {}
    }

    @BeforeEach
    void start() throws IOException {
        served = ServedGateway.of(new Worker(), new StandingClock(), Duration.ofSeconds(20));
    }

    @AfterEach
    void stop() {
        served.close();
        real.close();
    }

    private StreamObserver<OutcomeBatch> opened() throws InterruptedException {
        StreamObserver<OutcomeBatch> stream = streams.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(stream).as("a stream within %d s", LIMIT_SECONDS).isNotNull();
        return stream;
    }

    private StreamObserver<OutcomeBatch> awaiting() throws InterruptedException {
        new OutcomeFeed(served.connection(), new Nobody(), (id, reason) -> {}, 20)
                .await(List.of(Ids.ofRandom(UUID.randomUUID())));
        return opened();
    }

    @Test
    void aStreamThatHasLastedIsReplacedAtOnce() throws InterruptedException {
        StreamObserver<OutcomeBatch> first = awaiting();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));

        first.onError(Status.UNAVAILABLE.asRuntimeException());

        assertThat(opened()).isNotSameAs(first);
    }

    @Test
    void oneThatEndsAsSoonAsItIsOpenIsReplacedAfterAWhile() throws InterruptedException {
        StreamObserver<OutcomeBatch> first = awaiting();

        first.onError(Status.UNAVAILABLE.asRuntimeException());

        Awaitility.await("it is asked for later")
                .atMost(Duration.ofSeconds(LIMIT_SECONDS))
                .until(() -> putOff.contains(200L));
        assertThat(streams).isEmpty();
    }
}
