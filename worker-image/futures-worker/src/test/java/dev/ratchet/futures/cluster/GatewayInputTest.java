/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc.GatewayStub;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import dev.ratchet.protocol.client.v1.PutChunk;
import dev.ratchet.protocol.client.v1.PutReply;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.client.v1.SummaryReply;
import dev.ratchet.protocol.client.v1.SummaryRequest;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.State;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the client API never sends: a gateway takes what can be done of it, and nothing is left of the rest. */
@OnCluster(threads = 2)
class GatewayInputTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final SubmitOptions SHORT = SubmitOptions.ofJob("input").withShortTask();

    private final TestCluster cluster;
    private final Ratchet ratchet;
    private final GatewayConnection connection;

    GatewayInputTest(TestCluster cluster, Ratchet ratchet) {
        this.cluster = cluster;
        this.ratchet = ratchet;
        this.connection = cluster.connection();
    }

    @AfterEach
    void close() {
        connection.close();
    }

    @Test
    void ofTwoFuturesWithOneKeyOnlyTheFirstMayBeRun() throws Exception {
        SubmittedFuture second = submitted(FutureId.ofKey("default", "later"));
        SubmittedFuture first = second.toBuilder()
                .setSchedulingSpec(SchedulingSpecs.of(SHORT.withDelay(Duration.ofHours(1))))
                .build();

        assertThat(submit(first, second).getOutcomesList()).isEmpty();

        assertThat(cluster.record(Ids.of(second.getId())).getState()).isEqualTo(State.STATE_DELAYED);
    }

    @Test
    void ofTwoFuturesWithOneKeyTheSecondIsNotTakenWhereTheFirstIsRefused() throws Exception {
        SubmittedFuture second = submitted(FutureId.ofKey("default", "refused"));
        SubmittedFuture first = second.toBuilder().setMaxRetries(-1).build();

        assertThat(submit(first, second).getRefusalsList()).hasSize(1);

        assertThat(cluster.found(Ids.of(second.getId()))).isEmpty();
    }

    static Stream<SchedulingSpec> unusable() {
        return Stream.of(
                SchedulingSpec.newBuilder().setDelayMillis(-1).build(),
                SchedulingSpec.newBuilder().setDelayMillis(Long.MAX_VALUE).build(),
                SchedulingSpec.newBuilder().setAttemptTimeoutMillis(-1).build(),
                SchedulingSpec.newBuilder().setRetentionMillis(-1).build(),
                SchedulingSpec.newBuilder().setRetentionMillis(Long.MAX_VALUE).build());
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void unusableSchedulingSpecsAreRefusedForTasksAndValues(SchedulingSpec schedulingSpec) throws Exception {
        SubmittedFuture task = submitted(FutureId.random()).toBuilder()
                .setSchedulingSpec(schedulingSpec)
                .build();
        assertThat(submit(task).getRefusalsList()).hasSize(1);
        assertThat(cluster.found(Ids.of(task.getId()))).isEmpty();

        FutureId value = FutureId.random();
        assertThatThrownBy(() -> put(value, schedulingSpec)).isInstanceOf(InvalidInputException.class);
        assertThat(cluster.found(value)).isEmpty();
    }

    @Test
    void aRequestThatMayNameKnownFuturesReplacesNone() throws Exception {
        SubmittedFuture known = submitted(FutureId.random());
        submit(known);
        Awaitility.await("the future to be realized")
                .atMost(LIMIT)
                .until(() -> cluster.record(Ids.of(known.getId())).getState() == State.STATE_REALIZED);
        FutureRecord before = cluster.record(Ids.of(known.getId()));
        for (int i = 0; i < 5; i++) {
            submit(submitted(FutureId.random()));
        }

        SubmitRequest again = SubmitRequest.newBuilder()
                .setMayRunFirst(true)
                .setMayNameKnown(true)
                .addFutures(known.toBuilder().setJob("of another"))
                .build();
        SubmitReply unused = GatewayConnection.await(connection.call((stub, answer) -> stub.submit(again, answer)));

        assertThat(cluster.record(Ids.of(known.getId()))).isEqualTo(before);
        assertThat(cluster.check().violations()).isEmpty();
    }

    @Test
    void aPutUnderTheIdOfALargeValueLeavesThatValueWhole() throws Exception {
        byte[] bytes = Tasks.bytes(300_000);
        DurableFuture<byte[]> value = ratchet.put(bytes);
        value.submitted().toCompletableFuture().join();

        byte[] others = new byte[300_000];
        CRC32C checksum = new CRC32C();
        checksum.update(others);
        put(PutChunk.newBuilder()
                .setId(Ids.bytes(value.id()))
                .setJob("input")
                .setBytes(others.length)
                .setChecksum((int) checksum.getValue())
                .setContent(ByteString.copyFrom(others))
                .build());

        assertThat(cluster.connect().<byte[]>future(value.id()).get(LIMIT)).isEqualTo(bytes);
        assertThat(cluster.check().violations()).isEmpty();
    }

    @Test
    void codeUnderTheDigestOfOtherCodeIsRefusedAndChangesNothing() throws Exception {
        ByteString digest = submitted(FutureId.random()).getFunction();
        byte[] key = cluster.store().keys().functions.key((Object) digest.toByteArray());
        byte[] before = stored(key);
        SubmitRequest wrong = code(digest, FunctionRecord.newBuilder().setObjectClass("other.Code"));
        SubmitRequest large = code(digest, FunctionRecord.newBuilder().setChunks(7));

        assertThatThrownBy(() -> GatewayConnection.await(
                        connection.<SubmitReply>call((stub, answer) -> stub.submit(wrong, answer))))
                .hasMessageContaining("another digest");
        SubmitReply unused = GatewayConnection.await(connection.call((stub, answer) -> stub.submit(large, answer)));

        assertThat(stored(key)).isEqualTo(before);
    }

    private static SubmitRequest code(ByteString digest, FunctionRecord.Builder code) {
        return SubmitRequest.newBuilder()
                .addFunctions(SubmittedFunction.newBuilder().setDigest(digest).setCode(code))
                .build();
    }

    private byte[] stored(byte[] key) {
        return cluster.store().read(transaction -> transaction.get(key)).join();
    }

    @Test
    void nobodyWaitsForAFutureOnceItsOutcomeIsToldOrAnIdIsRefused() throws Exception {
        BlockingQueue<OutcomeBatch> told = new LinkedBlockingQueue<>();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        StreamObserver<AwaitRequest> stream = await(told, ended);
        AwaitRequest.Builder unknown = AwaitRequest.newBuilder();
        for (int i = 0; i < 100; i++) {
            unknown.addIds(Ids.bytes(FutureId.random()));
        }
        stream.onNext(unknown.build());
        for (int left = 100; left > 0; ) {
            left -= Objects.requireNonNull(told.poll(30, TimeUnit.SECONDS), "an outcome within 30 s")
                    .getOutcomesCount();
        }
        assertThat(cluster.figure("futures_waited_for")).isZero();

        stream.onNext(AwaitRequest.newBuilder()
                .addIds(Ids.bytes(FutureId.random()))
                .addIds(ByteString.copyFrom(new byte[17]))
                .build());
        assertThatThrownBy(() -> ended.get(30, TimeUnit.SECONDS)).hasMessageContaining("INVALID_ARGUMENT");
        assertThat(cluster.figure("futures_waited_for")).isZero();
    }

    private StreamObserver<AwaitRequest> await(BlockingQueue<OutcomeBatch> told, CompletableFuture<Void> ended) {
        CompletableFuture<GatewayStub> found = new CompletableFuture<>();
        SummaryReply unused = GatewayConnection.await(connection.call((stub, answer) -> {
            found.complete(stub);
            stub.summary(SummaryRequest.getDefaultInstance(), answer);
        }));
        return found.join().await(new StreamObserver<>() {
            @Override
            public void onNext(OutcomeBatch batch) {
                told.add(batch);
            }

            @Override
            public void onError(Throwable failure) {
                ended.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {
                ended.complete(null);
            }
        });
    }

    /** A short future of a function that the cluster knows. */
    private SubmittedFuture submitted(FutureId id) throws InterruptedException {
        DurableFuture<Integer> known = ratchet.submit(SHORT, Tasks.returning(42));
        assertThat(known.get(LIMIT)).isEqualTo(42);
        FutureRecord record = cluster.record(known.id());
        return SubmittedFuture.newBuilder()
                .setId(Ids.bytes(id))
                .setJob(record.getJob())
                .setFunction(record.getFunction())
                .setArgumentKind(record.getArgumentKind())
                .setArgument(record.getArgument())
                .setMaxRetries(record.getMaxRetries())
                .setSchedulingSpec(record.getSchedulingSpec())
                .build();
    }

    private SubmitReply submit(SubmittedFuture... futures) {
        SubmitRequest.Builder request = SubmitRequest.newBuilder().setMayRunFirst(true);
        Stream.of(futures).forEach(request::addFutures);
        SubmitRequest whole = request.build();
        return GatewayConnection.await(connection.call((stub, answer) -> stub.submit(whole, answer)));
    }

    private void put(FutureId id, SchedulingSpec schedulingSpec) {
        PutChunk chunk = PutChunk.newBuilder()
                .setId(Ids.bytes(id))
                .setJob("input")
                .setSchedulingSpec(schedulingSpec)
                .setBytes(1)
                .setChecksum(0x527d5351) // CRC-32C of one zero
                .setContent(ByteString.copyFrom(new byte[1]))
                .build();
        put(chunk);
    }

    private void put(PutChunk chunk) {
        PutReply unused = GatewayConnection.await(connection.call((stub, answer) -> {
            StreamObserver<PutChunk> stream = stub.put(answer);
            stream.onNext(chunk);
            stream.onCompleted();
        }));
    }
}
