/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.CircuitProducer;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.InputReceipt;
import dev.ratchet.client.InputRows;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.ProducerConflictException;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.client.v1.AddRowsRequest;
import dev.ratchet.protocol.client.v1.DescribeProducerRequest;
import dev.ratchet.protocol.client.v1.ProducerDescription;
import dev.ratchet.protocol.security.RetryAfter;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a producer sends over a gateway that loses, refuses and repeats. */
class RemoteProducerTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    /** For a call that is never answered. */
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(5);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Log log = new Log();
    private final String name = UUID.randomUUID().toString();
    private Server server;
    private GatewayConnection connection;

    @BeforeEach
    void serve() throws IOException {
        server = InProcessServerBuilder.forName(name).addService(log).build().start();
        connection = connection(TIMEOUT);
    }

    private GatewayConnection connection(Duration timeout) {
        return new GatewayConnection(
                "team-a",
                "orders",
                List.of(name),
                target -> InProcessChannelBuilder.forName(target).build(),
                environment,
                timeout);
    }

    @AfterEach
    void stop() {
        connection.close();
        server.shutdownNow();
        environment.close();
    }

    private CircuitProducer producer() {
        return producer(connection);
    }

    private static CircuitProducer producer(GatewayConnection connection) {
        return new RemoteProducer(
                new ClientHub(connection, TIMEOUT),
                () -> {
                    throw new IllegalStateException("not asked for");
                },
                "shop");
    }

    private static InputRows row(int id) {
        return new InputRows().insert("orders", Map.of("id", id));
    }

    private static InputReceipt get(CompletableFuture<InputReceipt> answer) throws Exception {
        try {
            return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    /** Keeps the sequences of one producer, as the input log does, and fails as it is told to. */
    private static final class Log extends AnsweringGateway {
        private final List<Long> appended = new ArrayList<>();
        private final Deque<Status> before = new ArrayDeque<>();
        private final Deque<Status> after = new ArrayDeque<>();
        private long last = -1;
        private boolean isSilent;
        private int asked;

        @Override
        public synchronized void describeProducer(
                DescribeProducerRequest request, StreamObserver<ProducerDescription> client) {
            asked++;
            client.onNext(ProducerDescription.newBuilder().setSequence(last).build());
            client.onCompleted();
        }

        @Override
        public synchronized void addRows(AddRowsRequest request, StreamObserver<ProducerDescription> client) {
            if (isSilent) {
                return;
            }
            if (!before.isEmpty()) {
                client.onError(before.remove().asRuntimeException(RetryAfter.trailers(10)));
                return;
            }
            boolean repeated = request.getSequence() <= last;
            if (!repeated) {
                last = request.getSequence();
                appended.add(last);
            }
            if (!after.isEmpty()) {
                client.onError(after.remove().asRuntimeException());
                return;
            }
            client.onNext(ProducerDescription.newBuilder()
                    .setSequence(last)
                    .setPosition("p" + last)
                    .setRepeated(repeated)
                    .build());
            client.onCompleted();
        }

        synchronized void set(long sequence) {
            last = sequence;
        }

        synchronized void silence(boolean silent) {
            isSilent = silent;
        }

        synchronized List<Long> appended() {
            return List.copyOf(appended);
        }
    }

    @Test
    void requestsGoOnBehindWhatIsThereAndAreThereOnce() throws Exception {
        log.set(6);
        log.before.add(Status.UNAVAILABLE);
        log.before.add(Status.RESOURCE_EXHAUSTED.withDescription("5 GiB wait"));
        log.after.add(Status.UNAVAILABLE);
        CircuitProducer shop = producer();
        CompletableFuture<InputReceipt> first = shop.send(row(1));
        CompletableFuture<InputReceipt> second = shop.send(row(2));
        assertThat(get(first)).as("taken at first, told at the second time").isEqualTo(new InputReceipt(7, "p7", true));
        assertThat(get(second)).isEqualTo(new InputReceipt(8, "p8", false));
        assertThat(get(shop.send(40, row(3))).isRepeated()).as("a gap").isFalse();
        assertThat(get(shop.send(12, row(4)))).isEqualTo(new InputReceipt(40, "p40", true));
        assertThat(get(shop.send(row(5))).sequence()).isEqualTo(41);
        assertThat(log.appended()).containsExactly(7L, 8L, 40L, 41L);
        assertThat(log.asked).isEqualTo(1);
    }

    @Test
    void aRefusedRequestIsNotThereAndTheNextOneIs() throws Exception {
        CircuitProducer shop = producer();
        log.before.add(Status.INVALID_ARGUMENT.withDescription("There is no table 'orders'"));
        assertThatThrownBy(() -> get(shop.send(row(1))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("There is no table");
        assertThat(get(shop.send(row(2))).sequence()).isZero();
        assertThatThrownBy(() -> shop.send(new InputRows()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("and not 0");
        assertThatThrownBy(() -> shop.send(new InputRows().insert("orders", Map.of("text", "x".repeat(4 << 20)))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("send the rows in several requests");
        assertThatThrownBy(() -> shop.send(-1, row(3))).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void whoElseSendsUnderTheNameIsNoticedBeforeRowsAreLost() throws Exception {
        CircuitProducer shop = producer();
        assertThat(get(shop.send(row(1))).sequence()).isZero();
        log.set(1);
        assertThatThrownBy(() -> get(shop.send(row(2))))
                .isInstanceOf(ProducerConflictException.class)
                .hasMessageContaining("The request 1 of producer 'shop' was not added");
        log.set(9);
        CircuitProducer again = producer();
        assertThat(get(again.send(row(2))).sequence()).isEqualTo(10);
        assertThat(log.appended()).containsExactly(0L, 10L);
    }

    @Test
    void nothingIsSentBehindARequestOfWhichItIsNotKnownWhetherItIsThere() throws Exception {
        try (GatewayConnection impatient = connection(SHORT_TIMEOUT)) {
            CircuitProducer shop = producer(impatient);
            assertThat(get(shop.send(row(1))).sequence()).isZero();
            for (int attempt = 0; attempt < 100; attempt++) {
                log.after.add(Status.UNAVAILABLE);
            }
            assertThatThrownBy(() -> get(shop.send(row(2)))).isInstanceOf(ConnectionException.class);
            log.after.clear();
            assertThatThrownBy(() -> get(shop.send(row(3))))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("make another producer 'shop'");
        }
        CircuitProducer again = producer();
        assertThat(again.received().sequence()).isEqualTo(1);
        assertThat(get(again.send(row(3))).sequence()).isEqualTo(2);
    }

    @Test
    void aProgramWaitsWhileMuchIsUnderWay() throws Exception {
        log.silence(true);
        CircuitProducer shop = producer();
        String text = "x".repeat(2 << 20);
        List<CompletableFuture<InputReceipt>> sent = new ArrayList<>();
        Thread sender = Thread.ofVirtual().start(() -> {
            for (int request = 0; request < 10; request++) {
                CompletableFuture<InputReceipt> answer =
                        shop.send(new InputRows().insert("orders", Map.of("text", text)));
                synchronized (sent) {
                    sent.add(answer);
                }
            }
        });
        await().atMost(LIMIT).untilAsserted(() -> {
            assertThat(sender.getState()).isEqualTo(Thread.State.WAITING);
            synchronized (sent) {
                assertThat(sent).as("requests of 2 MiB within 16 MiB").hasSize(7);
            }
        });
        log.silence(false);
        connection.close();
        assertThat(sender.join(LIMIT)).as("it ends with the connection").isTrue();
    }
}
