/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.NotSerializableTaskException;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.client.CodePackaging.Code;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
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

    /** An argument, with all upstreams of its future: first those that are the argument. */
    record Argument(
            ArgumentKind kind,
            byte[] bytes,
            List<FutureId> upstreams,
            int argumentUpstreams,
            Optional<Call> call,
            int itemsAhead) {
        Argument(ArgumentKind kind, byte[] bytes, List<FutureId> upstreams, int argumentUpstreams) {
            this(kind, bytes, upstreams, argumentUpstreams, Optional.empty(), 0);
        }
    }

    /**
     * Which actor is called.
     *
     * @param concurrentMax begins when fewer than so many calls before it are open
     */
    record Call(FutureId actor, String key, int concurrentMax) {}

    /** All that makes a future but how it is treated. */
    record Task(Code code, Argument argument) {}

    /**
     * What futures of a block have in common, kept for the next one like it.
     *
     * @param ready when they may be sent
     */
    record Common(SubmitOptions options, SubmittedFuture future, boolean allowed, CompletableFuture<Void> ready) {}

    private final GatewayConnection connection;
    private final CodePackaging codes;
    private final ClientLease lease;
    private volatile @Nullable Common lastCommon;

    TaskPackaging(GatewayConnection connection, ClientLease lease, Shipping shipping) {
        this.connection = connection;
        this.lease = lease;
        this.codes = new CodePackaging(connection, shipping);
    }

    /** A task without an argument. What its code has captured is its argument where that can be told from the code. */
    Task task(SerializableCallable<?> task) {
        Optional<CodePackaging.TakenApart> parts = codes.takeApart(task);
        if (parts.isEmpty()) {
            return whole(task);
        }
        Code code = parts.get().code();
        Object captured = parts.get().captured();
        try {
            return new Task(code, captured == null ? withoutArgument(code) : withArgument(code, captured));
        } catch (NotSerializableTaskException nameless) {
            // Only the whole task knows the names of the fields that lead to what is not serialisable.
            return whole(task);
        }
    }

    private Task whole(SerializableCallable<?> task) {
        Code code = codes.whole(task, null);
        return new Task(code, withoutArgument(code));
    }

    /** Code that is given an argument. */
    Code code(Object task, @Nullable Object argument) {
        return codes.code(task, argument);
    }

    /** A method of the connection's artifacts, with its argument. */
    Task task(NamedTask task) {
        Code code = codes.code(task);
        return new Task(code, withArgument(code, task.argument()));
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

    /** A call of an actor, which travels as an argument, so that all calls are of one function. */
    Task call(Call call, ArgumentKind kind, Object body) {
        Set<FutureId> upstreams = new LinkedHashSet<>();
        byte[] bytes = CodeWriter.write("task", body, upstreams);
        requireSize("The task with what it captures", bytes.length);
        return new Task(
                codes.applying(body), new Argument(kind, bytes, List.copyOf(upstreams), 0, Optional.of(call), 0));
    }

    /** What a future has in common with others of its block, if it may be in one. */
    Optional<Common> inBlock(Caller caller, Code code, SubmitOptions options, Argument argument) {
        if (argument.bytes().length > BLOCK_ARGUMENT_BYTES_MAX
                || !argument.upstreams().isEmpty()
                || argument.call().isPresent()
                || options.key().isPresent()
                || options.speculativeValue()
                || caller.parent().isPresent()) {
            return Optional.empty();
        }
        Common last = lastCommon;
        ByteString client = lease.id();
        if (last == null
                || last.ready().isCompletedExceptionally()
                || !last.future().getClient().equals(client)
                || !last.future().getFunction().equals(code.function().getDigest())
                || last.future().getArgumentKind() != argument.kind()
                || !last.options().equals(options)) {
            SubmittedFuture future =
                    common(code, options, argument).setClient(client).build();
            CompletableFuture<Void> ready = leased(code.uploaded(), options);
            last = new Common(options, future, BlockFutures.allow(future), ready);
            lastCommon = last;
        }
        return last.allowed() ? Optional.of(last) : Optional.empty();
    }

    private static SubmittedFuture.Builder common(Code code, SubmitOptions options, Argument argument) {
        return SubmittedFuture.newBuilder()
                .setName(options.name())
                .setJob(options.job())
                .setMaxRetries(options.retries().maxRetries())
                .setSchedulingSpec(SchedulingSpecs.of(options).toBuilder()
                        .setItemsAhead(argument.itemsAhead())
                        .setConcurrentCallsMax(
                                argument.call().map(Call::concurrentMax).orElse(0)))
                .setFunction(code.function().getDigest())
                .setArgumentKind(argument.kind())
                .setArgumentUpstreams(argument.argumentUpstreams());
    }

    /** Futures that are submitted later, by the cluster, each with an argument of its own. */
    record Template(SubmittedFunction function, SubmittedFuture future, CompletableFuture<Void> ready) {}

    /** What such have in common. */
    Template template(Object task, SubmitOptions options) {
        Code code = codes.code(task, null);
        if (!code.captured().isEmpty()) {
            throw new InvalidInputException("A task of a feed runs long after this program, and has captured futures: "
                    + code.captured() + ". Give it their ids, or their values.");
        }
        Argument none = new Argument(ArgumentKind.ARGUMENT_KIND_VALUE, NOTHING, List.of(), 0);
        return new Template(code.function(), common(code, options, none).build(), code.uploaded());
    }

    /** Everything about one future. */
    PendingSubmit pack(Caller caller, Code code, SubmitOptions options, Argument argument) {
        SubmittedFuture.Builder future = common(code, options, argument);
        argument.upstreams().forEach(upstream -> future.addUpstreams(Ids.bytes(upstream)));
        CompletableFuture<Void> ready = code.uploaded();
        if (caller.parent().isEmpty()) {
            future.setClient(lease.id());
            ready = leased(ready, options);
        }
        ByteString whole = UnsafeByteOperations.unsafeWrap(argument.bytes());
        future.setArgument(whole);
        argument.call()
                .ifPresent(call -> future.setActor(Ids.bytes(call.actor())).setActorKey(call.key()));
        caller.parent().ifPresent(parent -> future.setParent(Ids.bytes(parent)));
        FutureId id = options.key()
                .map(key -> FutureId.ofKey(options.tenant(), key))
                .orElseGet(() -> caller.newId(future, connection.environment()));
        future.setId(Ids.bytes(id));
        options.key().ifPresent(future::setKey);
        future.setTellEarly(options.speculativeValue()
                && caller.parent().isEmpty()
                && argument.call().isEmpty()
                && argument.itemsAhead() == 0);
        if (argument.bytes().length > ValueSizes.PIECE_BYTES) {
            ByteString upload = Ids.bytes(Ids.ofRandom(connection.environment().randomId()));
            future.clearArgument()
                    .setArgumentBytes(argument.bytes().length)
                    .setArgumentChunks(ValueSizes.pieces(argument.bytes().length))
                    .setArgumentUpload(upload);
            ContentChunk first = ContentChunk.newBuilder()
                    .setArgumentOf(Ids.bytes(id))
                    .setArgumentUpload(upload)
                    .build();
            ready = CompletableFuture.allOf(ready, StreamUpload.ofContent(connection, first, argument.bytes()));
        }
        return new PendingSubmit(id, future.build(), code.function(), ready, new CompletableFuture<>());
    }

    /** What is kept for long anyway need not wait until the cluster knows the lease of its holder. */
    private CompletableFuture<Void> leased(CompletableFuture<Void> ready, SubmitOptions options) {
        CompletableFuture<Void> begun = lease.begun();
        return options.retention().isPresent() ? CompletableFuture.allOf(ready, begun) : ready;
    }

    static void requireSize(String what, int bytes) {
        if (bytes > CONTENT_BYTES_MAX) {
            throw new InvalidInputException(what + " has " + bytes + " bytes when serialised, more than the limit of "
                    + CONTENT_BYTES_MAX + ". Split it, or let the task read it itself.");
        }
    }
}
