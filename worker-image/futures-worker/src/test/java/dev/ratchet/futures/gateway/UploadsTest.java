/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.artifact.CodeCache;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.ArgumentUploads;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.ArtifactChunk;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.UploadReply;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An upload that is refused, breaks off or lies changes nothing of what is stored. */
class UploadsTest {

    private static final int BYTES = 2_000_000;
    private static final int MESSAGE_BYTES = 500_000;
    private static final int SECONDS_MAX = 60;

    private static final Set<String> KINDS = Set.of(
            "ArtifactUpload.complete",
            "ArtifactUpload.discard",
            "ArtifactUpload.write",
            "ContentUpload.write",
            "FunctionUpload.discard",
            "FunctionUpload.publish",
            "FunctionUpload.write");

    @TempDir
    Path folder;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/uploads");
    private final FutureKeys keys = new FutureKeys(keyspace);
    private final MeasuredDatabase measured = new MeasuredDatabase();
    private final FutureStore store =
            new FutureStore(measured.wrapper().apply(StoreUnderTest.open(environment)), keys, environment);
    private final Uploads uploads = new Uploads(store);
    private final byte[] jar = random(1);
    private final ByteString digest = ByteString.copyFrom(Digests.sha256().digest(jar));

    private static byte[] random(long seed) {
        byte[] bytes = new byte[BYTES];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @AfterEach
    void nothingIsWrongInTheStore() {
        assertThat(new ClusterCheck(store, new StoredMembers(keyspace))
                        .run()
                        .join()
                        .violations())
                .isEmpty();
        environment.close();
    }

    @Test
    void aWrongUploadUnderTheDigestOfAStoredJarLeavesThatJarWhole() throws Exception {
        assertThat(upload(digest, jar, BYTES).await()).isEqualTo(Status.Code.OK);
        assertThat(upload(digest, random(2), BYTES).await()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        Client gone = new Client();
        StreamObserver<ArtifactChunk> broken = uploads.artifact(gone);
        broken.onNext(chunk(digest, random(3), 0, BYTES));
        broken.onError(Status.CANCELLED.asRuntimeException());

        assertThat(stored()).isEqualTo(jar);
    }

    @Test
    void aSecondUploadOfAStoredJarIsAcceptedAndLeavesNothing() throws Exception {
        assertThat(upload(digest, jar, BYTES).await()).isEqualTo(Status.Code.OK);
        assertThat(upload(digest, jar, BYTES).await()).isEqualTo(Status.Code.OK);

        assertThat(stored()).isEqualTo(jar);
        assertThat(rows(keys.artifactContent.range())).isEqualTo(ValueSizes.pieces(BYTES));
    }

    @Test
    void theSizeThatIsAnnouncedHolds() throws Exception {
        assertThat(upload(digest, jar, 1).await()).as("more arrives").isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(upload(digest, jar, BYTES + 1).await()).as("less arrives").isEqualTo(Status.Code.INVALID_ARGUMENT);

        assertThat(rows(keys.artifacts.range())).isZero();
    }

    private final FunctionRecord whole = FunctionRecord.newBuilder()
            .addArtifacts(digest)
            .setSerialized(ByteString.copyFrom(jar))
            .build();
    private final ByteString function = Digests.ofFunction(whole);

    private ContentChunk.Builder functionChunk() {
        return ContentChunk.newBuilder()
                .setFunction(function)
                .setCode(whole.toBuilder().clearSerialized())
                .setBytes(BYTES);
    }

    @Test
    void theContentOfAFunctionThatWasSubmittedCanNotBeReplaced() throws Exception {
        assertThat(upload(functionChunk(), jar)).isEqualTo(Status.Code.OK);
        submit(function, whole);

        assertThat(upload(functionChunk(), random(2))).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(upload(functionChunk(), jar)).isEqualTo(Status.Code.OK);

        awaitContent(keys.functionContent.range());
        clear(keys.functions.range());
    }

    @Test
    void theContentOfAFunctionThatIsNotSubmittedYetCanNotBeReplaced() throws Exception {
        assertThat(upload(functionChunk(), jar)).isEqualTo(Status.Code.OK);

        assertThat(upload(functionChunk(), random(2))).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(upload(functionChunk().setBytes(1), jar)).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(upload(functionChunk().setBytes(BYTES + 1), jar)).isEqualTo(Status.Code.INVALID_ARGUMENT);

        awaitContent(keys.functionContent.range());
    }

    @Test
    void whatSomebodyHasRecordedUnderADigestWithoutItsContentGivesWayToTheUpload() throws Exception {
        FunctionRecord empty = FunctionRecord.newBuilder().setChunks(1).build();
        write(keys.functions.key((Object) function.toByteArray()), keys.functions.encode(empty));

        assertThat(upload(functionChunk(), jar)).isEqualTo(Status.Code.OK);

        FunctionRecord recorded = keys.functions.decode(
                store.read(transaction -> transaction.get(keys.functions.key((Object) function.toByteArray())))
                        .join());
        assertThat(recorded.getChunks()).isEqualTo(ValueSizes.pieces(BYTES));
        assertThat(recorded.getArtifactsList()).containsExactly(digest);
        awaitContent(keys.functionContent.range());
    }

    @Test
    void aFunctionWhoseContentHasAnotherDigestIsNotRun() throws Exception {
        submit(function, whole);
        int number = 0;
        for (byte[] piece : PieceStore.cut(random(2))) {
            write(keys.functionContent.key(function.toByteArray(), number++), piece);
        }

        try (CodeCache cache = new CodeCache(store, folder)) {
            CompletableFuture<?> loaded = cache.load(function);
            assertThatThrownBy(() -> loaded.get(SECONDS_MAX, TimeUnit.SECONDS))
                    .hasMessageContaining("has another digest");
        }
        clear(keys.functions.range());
        clear(keys.functionContent.range());
    }

    @Test
    void theArgumentOfAFutureThatWasSubmittedCanNotBeReplaced() throws Exception {
        FutureId id = FutureId.random();
        ContentChunk.Builder target = ContentChunk.newBuilder().setArgumentOf(Ids.bytes(id));
        assertThat(upload(target, jar)).isEqualTo(Status.Code.OK);
        FutureRecord record = FutureRecord.newBuilder()
                .setArgumentChunks(ValueSizes.pieces(BYTES))
                .build();
        write(keys.records.key(id.value()), keys.records.encode(record));

        assertThat(upload(target, random(2))).isEqualTo(Status.Code.OK);

        assertThat(content(keys.arguments.range())).isEqualTo(jar);
        clear(keys.records.range());
        clear(keys.arguments.range());
    }

    @Test
    void argumentsThatAreUploadedForOneFutureDoNotMix() throws Exception {
        keyspace.formats().seen(ArgumentUploads.LEVEL);
        FutureId id = FutureId.random();
        ByteString named = Ids.bytes(FutureId.random());
        ContentChunk.Builder first = argumentChunk(id, named);
        ContentChunk.Builder second = argumentChunk(id, Ids.bytes(FutureId.random()));
        assertThat(upload(first, jar)).isEqualTo(Status.Code.OK);
        assertThat(upload(second, random(2))).isEqualTo(Status.Code.OK);
        FutureRecord record = FutureRecord.newBuilder()
                .setArgumentChunks(ValueSizes.pieces(BYTES))
                .setArgumentUpload(named)
                .build();
        write(keys.records.key(id.value()), keys.records.encode(record));
        assertThat(upload(first, random(3))).isEqualTo(Status.Code.OK);
        assertThat(upload(argumentChunk(id, ByteString.EMPTY), random(4))).isEqualTo(Status.Code.OK);

        assertThat(new PieceStore(store, keys.arguments)
                        .readAll(ArgumentUploads.owner(id.value(), record), ValueSizes.pieces(BYTES), BYTES)
                        .join())
                .isEqualTo(jar);
        store.runPlain(transaction -> {
                    ArgumentUploads.clearOthers(keys, transaction, id.value(), record);
                    return CompletableFuture.completedFuture(null);
                })
                .join();
        assertThat(content(keys.arguments.range())).as("all that is left").isEqualTo(jar);
        clear(keys.records.range());
        clear(keys.arguments.range());
    }

    @Test
    void noTransactionGrowsWithTheSizeOfWhatIsUploaded() throws Exception {
        assertThat(upload(digest, jar, BYTES).await()).isEqualTo(Status.Code.OK);
        assertThat(upload(digest, random(2), BYTES).await()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(upload(functionChunk(), jar)).isEqualTo(Status.Code.OK);
        FutureId id = FutureId.random();
        assertThat(upload(ContentChunk.newBuilder().setArgumentOf(Ids.bytes(id)), jar))
                .isEqualTo(Status.Code.OK);

        Awaitility.await("what was refused to be discarded")
                .atMost(Duration.ofSeconds(SECONDS_MAX))
                .until(() -> rows(keys.artifactContent.range()) == ValueSizes.pieces(BYTES));
        Growth.assertBounded(measured, KINDS, Map.of(), Growth.PAGE);
        clear(keys.arguments.range());
    }

    private static ContentChunk.Builder argumentChunk(FutureId id, ByteString upload) {
        return ContentChunk.newBuilder().setArgumentOf(Ids.bytes(id)).setArgumentUpload(upload);
    }

    private void submit(ByteString function, FunctionRecord whole) {
        FunctionRecord record = whole.toBuilder()
                .clearSerialized()
                .setChunks(ValueSizes.pieces(BYTES))
                .build();
        write(keys.functions.key((Object) function.toByteArray()), keys.functions.encode(record));
    }

    private void write(byte[] key, byte[] value) {
        store.runPlain(transaction -> {
                    transaction.set(key, value);
                    return CompletableFuture.completedFuture(null);
                })
                .join();
    }

    private void clear(com.apple.foundationdb.Range range) {
        store.runPlain(transaction -> {
                    transaction.clear(range);
                    return CompletableFuture.completedFuture(null);
                })
                .join();
    }

    private int rows(com.apple.foundationdb.Range range) {
        return store.read(transaction -> transaction.getRange(range).asList())
                .join()
                .size();
    }

    private byte[] content(com.apple.foundationdb.Range range) {
        ByteString whole = store.read(transaction -> transaction.getRange(range).asList()).join().stream()
                .map(row -> ByteString.copyFrom(row.getValue()))
                .reduce(ByteString.EMPTY, ByteString::concat);
        return whole.toByteArray();
    }

    /** What was refused is discarded behind the answer. */
    private void awaitContent(com.apple.foundationdb.Range range) {
        Awaitility.await("the jar alone to be there")
                .atMost(Duration.ofSeconds(SECONDS_MAX))
                .untilAsserted(() -> assertThat(content(range)).isEqualTo(jar));
    }

    /** The jar as workers read it. */
    private byte[] stored() {
        ArtifactRecord record = keys.artifacts.decode(
                store.read(transaction -> transaction.get(keys.artifacts.key((Object) digest.toByteArray())))
                        .join());
        byte[] owner = record.getContent().isEmpty()
                ? digest.toByteArray()
                : record.getContent().toByteArray();
        return new PieceStore(store, keys.artifactContent)
                .readAll(owner, record.getChunks(), Math.toIntExact(record.getBytes()))
                .join();
    }

    private Client upload(ByteString announced, byte[] content, long bytes) {
        Client client = new Client();
        StreamObserver<ArtifactChunk> upload = uploads.artifact(client);
        for (int from = 0; from < content.length; from += MESSAGE_BYTES) {
            upload.onNext(chunk(announced, content, from, bytes));
        }
        upload.onCompleted();
        return client;
    }

    private static ArtifactChunk chunk(ByteString digest, byte[] content, int from, long bytes) {
        return ArtifactChunk.newBuilder()
                .setDigest(digest)
                .setName("program.jar")
                .setBytes(bytes)
                .setContent(ByteString.copyFrom(content, from, MESSAGE_BYTES))
                .build();
    }

    private Status.Code upload(ContentChunk.Builder target, byte[] content) throws Exception {
        Client client = new Client();
        StreamObserver<ContentChunk> upload = uploads.content(client);
        for (int from = 0; from < content.length; from += MESSAGE_BYTES) {
            upload.onNext(target.clone()
                    .setContent(ByteString.copyFrom(content, from, MESSAGE_BYTES))
                    .build());
        }
        upload.onCompleted();
        return client.await();
    }

    /** The client's end of an upload: how it ended. */
    private static final class Client extends ServerCallStreamObserver<UploadReply> {
        private final CompletableFuture<Status.Code> ended = new CompletableFuture<>();

        Status.Code await() throws Exception {
            return ended.get(SECONDS_MAX, TimeUnit.SECONDS);
        }

        @Override
        public void onError(Throwable failure) {
            ended.complete(Status.fromThrowable(failure).getCode());
        }

        @Override
        public void onCompleted() {
            ended.complete(Status.Code.OK);
        }

        @Override
        public void onNext(UploadReply reply) {}

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void disableAutoRequest() {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean enable) {}
    }
}
