/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.code.PieceStore;
import dev.ratchet.futures.record.BlockFutures;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.futures.record.Treatments;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.client.v1.UploadReply;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.NamedCode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Turns users' code and arguments into messages: everything that can be wrong with them is found here, on the caller's
 * thread. What is too large for a message is uploaded beside it.
 */
final class TaskPackaging {

    private static final int CONTENT_BYTES_MAX = 64 << 20;
    private static final int UPSTREAMS_MAX = 2_000;

    /** Futures with larger arguments travel each by itself. */
    private static final int BLOCK_ARGUMENT_BYTES_MAX = 1_000;

    private static final byte[] NOTHING = {};

    /** Code, ready to be sent, with the futures that it has captured. */
    record Code(
            SubmittedFunction function,
            Set<FutureId> captured,
            ClassLoader classLoader,
            CompletableFuture<Void> uploaded) {}

    /** An argument, with all upstreams of its future: first those that are the argument. */
    record Argument(
            ArgumentKind kind,
            byte[] bytes,
            List<FutureId> upstreams,
            int argumentUpstreams,
            Optional<FutureId> actor,
            int itemsAhead) {
        Argument(ArgumentKind kind, byte[] bytes, List<FutureId> upstreams, int argumentUpstreams) {
            this(kind, bytes, upstreams, argumentUpstreams, Optional.empty(), 0);
        }
    }

    /** What futures of a block have in common, kept for the next one like it. */
    private record Common(SubmitOptions options, SubmittedFuture future, boolean allowed) {}

    private final GatewayConnection connection;
    private final Shipping shipping;
    private final ClientLease lease;
    private volatile @Nullable Common lastCommon;

    TaskPackaging(GatewayConnection connection, ClientLease lease, Shipping shipping) {
        this.connection = connection;
        this.lease = lease;
        this.shipping = shipping;
    }

    /**
     * A lambda, or an object of a user's class, or one of the API around such.
     *
     * @param argument looked at for users' classes where the task has none
     */
    Code code(Object task, @Nullable Object argument) {
        Set<FutureId> captured = new LinkedHashSet<>();
        byte[] bytes = CodeWriter.write("task", task, captured);
        requireSize("The task with what it captures", bytes.length);
        Optional<Class<?>> userClass = UserCode.classOf(task, argument);
        Shipping.Shipped shipped = userClass.map(shipping::shipFor).orElseGet(shipping::shipKnown);
        FunctionRecord whole = FunctionRecord.newBuilder()
                .addAllArtifacts(shipped.digests())
                .setSerialized(UnsafeByteOperations.unsafeWrap(bytes))
                .build();
        ByteString digest = Digests.ofFunction(whole);
        SubmittedFunction.Builder function = SubmittedFunction.newBuilder().setDigest(digest);
        CompletableFuture<Void> uploaded = shipped.uploaded();
        if (whole.getSerializedSize() <= FutureKeys.PIECE_BYTES) {
            function.setCode(whole);
        } else {
            function.setCode(whole.toBuilder().clearSerialized().setChunks(PieceStore.count(bytes.length)));
            ContentChunk first = ContentChunk.newBuilder().setFunction(digest).build();
            uploaded = CompletableFuture.allOf(uploaded, upload(first, bytes));
        }
        return new Code(
                function.build(),
                captured,
                userClass.map(TaskPackaging::loaderOf).orElseGet(TaskPackaging::contextLoader),
                uploaded);
    }

    /** A method of the connection's artifacts. */
    Code code(NamedTask task) {
        Shipping.Shipped shipped = shipping.shipGiven();
        FunctionRecord record = FunctionRecord.newBuilder()
                .addAllArtifacts(shipped.digests())
                .setNamed(NamedCode.newBuilder().setClassName(task.className()).setMethod(task.method()))
                .build();
        return new Code(
                SubmittedFunction.newBuilder()
                        .setDigest(Digests.ofFunction(record))
                        .setCode(record)
                        .build(),
                Set.of(),
                loaderOf(NamedTask.class),
                shipped.uploaded());
    }

    Argument withoutArgument(Code code) {
        return new Argument(ArgumentKind.ARGUMENT_KIND_NONE, NOTHING, List.copyOf(code.captured()), 0);
    }

    Argument withArgument(Code code, @Nullable Object argument) {
        Set<FutureId> upstreams = new LinkedHashSet<>(code.captured());
        byte[] bytes = CodeWriter.write("argument", argument, upstreams);
        requireSize("The argument", bytes.length);
        return new Argument(ArgumentKind.ARGUMENT_KIND_VALUE, bytes, List.copyOf(upstreams), 0);
    }

    Argument ofUpstreams(Code code, ArgumentKind kind, List<FutureId> argument) {
        List<FutureId> upstreams = new ArrayList<>(argument);
        upstreams.addAll(code.captured());
        if (upstreams.size() > UPSTREAMS_MAX) {
            throw new InvalidInputException("A task takes at most " + UPSTREAMS_MAX + " futures, not "
                    + upstreams.size() + ". Reduce in several levels.");
        }
        return new Argument(kind, NOTHING, upstreams, argument.size());
    }

    /** The emitter of a generator. */
    Argument ofItems(Code code, int ahead) {
        return new Argument(
                ArgumentKind.ARGUMENT_KIND_NONE, NOTHING, List.copyOf(code.captured()), 0, Optional.empty(), ahead);
    }

    Argument ofActor(Code code, ArgumentKind kind, FutureId actor) {
        return new Argument(kind, NOTHING, List.copyOf(code.captured()), 0, Optional.of(actor), 0);
    }

    /** What a future has in common with others of its block, if it may be in one. */
    Optional<SubmittedFuture> inBlock(Caller caller, Code code, SubmitOptions options, Argument argument) {
        if (argument.bytes().length > BLOCK_ARGUMENT_BYTES_MAX
                || !argument.upstreams().isEmpty()
                || argument.actor().isPresent()
                || options.key().isPresent()
                || caller.parent().isPresent()) {
            return Optional.empty();
        }
        Common last = lastCommon;
        if (last == null
                || !last.future().getFunction().equals(code.function().getDigest())
                || last.future().getArgumentKind() != argument.kind()
                || !last.options().equals(options)) {
            SubmittedFuture future = common(code, options, argument).build();
            last = new Common(options, future, BlockFutures.allow(future));
            lastCommon = last;
        }
        return last.allowed() ? Optional.of(last.future()) : Optional.empty();
    }

    private static SubmittedFuture.Builder common(Code code, SubmitOptions options, Argument argument) {
        return SubmittedFuture.newBuilder()
                .setName(options.name())
                .setJob(options.job())
                .setMaxRetries(options.retries().maxRetries())
                .setTreatment(Treatments.of(options).toBuilder().setItemsAhead(argument.itemsAhead()))
                .setFunction(code.function().getDigest())
                .setArgumentKind(argument.kind())
                .setArgumentUpstreams(argument.argumentUpstreams());
    }

    /** Everything about one future. */
    PendingSubmit pack(Caller caller, Code code, SubmitOptions options, Argument argument) {
        SubmittedFuture.Builder future = common(code, options, argument);
        argument.upstreams().forEach(upstream -> future.addUpstreams(Ids.bytes(upstream)));
        CompletableFuture<Void> ready = code.uploaded();
        if (options.retention().isPresent() && caller.parent().isEmpty()) {
            future.setClient(lease.id());
            ready = CompletableFuture.allOf(ready, lease.begun());
        }
        ByteString whole = UnsafeByteOperations.unsafeWrap(argument.bytes());
        future.setArgument(whole);
        argument.actor().ifPresent(actor -> future.setActor(Ids.bytes(actor)));
        caller.parent().ifPresent(parent -> future.setParent(Ids.bytes(parent)));
        FutureId id = options.key()
                .map(key -> FutureId.ofKey(options.tenant(), key))
                .orElseGet(() -> caller.newId(future, connection.environment()));
        future.setId(Ids.bytes(id));
        if (argument.bytes().length > FutureKeys.PIECE_BYTES) {
            future.clearArgument()
                    .setArgumentBytes(argument.bytes().length)
                    .setArgumentChunks(PieceStore.count(argument.bytes().length));
            ContentChunk first =
                    ContentChunk.newBuilder().setArgumentOf(Ids.bytes(id)).build();
            ready = CompletableFuture.allOf(ready, upload(first, argument.bytes()));
        }
        return new PendingSubmit(id, future.build(), code.function(), ready, new CompletableFuture<>());
    }

    private CompletableFuture<Void> upload(ContentChunk first, byte[] content) {
        return connection
                .<UploadReply>call((stub, answer) -> {
                    var unused = stub.uploadContent(new StreamUpload<>(
                            StreamUpload.Source.of(content),
                            piece -> first.toBuilder().setContent(piece).build(),
                            piece -> ContentChunk.newBuilder().setContent(piece).build(),
                            answer));
                })
                .thenApply(done -> null);
    }

    private static void requireSize(String what, int bytes) {
        if (bytes > CONTENT_BYTES_MAX) {
            throw new InvalidInputException(what + " has " + bytes + " bytes when serialised, more than the limit of "
                    + CONTENT_BYTES_MAX + ". Split it, or let the task read it itself.");
        }
    }

    private static ClassLoader contextLoader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? TaskPackaging.class.getClassLoader() : context;
    }

    private static ClassLoader loaderOf(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null ? TaskPackaging.class.getClassLoader() : loader;
    }
}
