/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.code.ResultReader;
import dev.ratchet.protocol.client.v1.FetchRequest;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.ValueChunk;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who asks for very many large values at once gets all of them, and asks for a few at a time. */
class ManyValuesTest {

    private static final int VALUES = 1_000;
    private static final long LIMIT_SECONDS = 60;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final BlockingQueue<StreamObserver<ValueChunk>> asked = new LinkedBlockingQueue<>();
    private ServedGateway served;
    private Completions completions;

    /** One that answers when the test does. */
    private final class Waiting extends AnsweringGateway {
        @Override
        public void fetch(FetchRequest request, StreamObserver<ValueChunk> client) {
            asked.add(client);
        }
    }

    @BeforeEach
    void connect() throws Exception {
        served = ServedGateway.of(new Waiting(), environment, Duration.ofSeconds(20));
        completions = new Completions(served.connection(), ResultReader.OF_TASKS);
    }

    @AfterEach
    void stop() {
        served.close();
        environment.close();
    }

    @Test
    void aFewAreFetchedAtATimeAndAllCome() throws Exception {
        List<CompletableFuture<String>> values = load();
        List<StreamObserver<ValueChunk>> open = new ArrayList<>();
        for (int answered = 0; answered < VALUES; answered++) {
            while (open.size() < Math.min(Completions.FETCHES_MAX, VALUES - answered)) {
                open.add(asked.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
            }
            assertThat(asked).as("asked for besides %s", open.size()).isEmpty();
            answer(open.remove(0));
        }
        for (CompletableFuture<String> value : values) {
            assertThat(value.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("value");
        }
    }

    @Test
    void whatWaitsForItsTurnFailsWithTheConnection() throws Exception {
        List<CompletableFuture<String>> values = load();
        assertThat(asked.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).isNotNull();

        served.close();

        for (CompletableFuture<String> value : values) {
            assertThatThrownBy(() -> value.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(dev.ratchet.client.ConnectionException.class);
        }
    }

    @Test
    void aClientThatIsNotAcceptedAnyMoreIsNotToldThatTheFutureFailed() throws Exception {
        List<CompletableFuture<String>> values = load();
        StreamObserver<ValueChunk> first = asked.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        first.onError(Status.PERMISSION_DENIED
                .withDescription("client-0 is not among the clients of this cluster")
                .asRuntimeException());
        assertThatThrownBy(() -> CompletableFuture.anyOf(values.toArray(CompletableFuture<?>[]::new))
                        .get(LIMIT_SECONDS, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ConnectionException.class)
                .hasMessageContaining("do not accept this client: client-0 is not among the clients");
    }

    private List<CompletableFuture<String>> load() {
        List<CompletableFuture<String>> values = new ArrayList<>();
        for (int number = 0; number < VALUES; number++) {
            CompletableFuture<String> value = new CompletableFuture<>();
            RemoteFuture<String> future = RemoteFuture.of(new RemoteFuture.Origin(
                    FutureId.random(),
                    completions,
                    () -> {
                        throw new AssertionError("Nothing is submitted here");
                    },
                    CompletableFuture.completedFuture(null),
                    ManyValuesTest.class.getClassLoader(),
                    SubmitOptions.defaults()));
            completions.load(future, Outcome.newBuilder().setValueBytes(1).build(), value);
            values.add(value);
        }
        return values;
    }

    private static void answer(StreamObserver<ValueChunk> client) {
        byte[] content = CodeWriter.writeValue("value", "value");
        CRC32C checksum = new CRC32C();
        checksum.update(content);
        client.onNext(ValueChunk.newBuilder()
                .setBytes(content.length)
                .setChecksum((int) checksum.getValue())
                .setContent(ByteString.copyFrom(content))
                .build());
        client.onCompleted();
    }
}
