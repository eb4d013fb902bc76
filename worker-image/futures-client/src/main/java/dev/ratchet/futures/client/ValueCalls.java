/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.ObjectLostException;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.LargeMessages;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.protocol.client.v1.BindReply;
import dev.ratchet.protocol.client.v1.BindRequest;
import dev.ratchet.protocol.client.v1.DeleteReply;
import dev.ratchet.protocol.client.v1.DeleteRequest;
import dev.ratchet.protocol.client.v1.HoldReply;
import dev.ratchet.protocol.client.v1.HoldRequest;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.PlaceReply;
import dev.ratchet.protocol.client.v1.PlaceRequest;
import dev.ratchet.protocol.client.v1.PutChunk;
import dev.ratchet.protocol.client.v1.PutReply;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.State;
import io.grpc.Status;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** What a client does with values rather than with tasks: puts, places and deletes them. */
final class ValueCalls {

    private static final int VALUE_BYTES_MAX = 1 << 30;

    /** A task's value lives with its worker; a program's, which nothing can compute again, with two. */
    private static final int COPIES_OF_TASKS = 1;

    private static final int COPIES_OF_PROGRAMS = 2;

    private final ClientHub hub;
    private final GatewayConnection connection;
    private final Completions completions;
    private final ClientLease lease;
    private final Caller caller;

    ValueCalls(ClientHub hub, Caller caller) {
        this.hub = hub;
        this.lease = hub.lease();
        this.connection = hub.connection();
        this.completions = hub.completions();
        this.caller = caller;
    }

    /** Registers a value as a realized future. */
    <T> DurableFuture<T> put(SubmitOptions options, @Nullable T value) {
        options.key().ifPresent(key -> {
            throw new InvalidInputException("A value that is put has no key, but it was given " + key
                    + ". Submit a task with that key that returns the value, or leave the key out.");
        });
        byte[] content = CodeWriter.writeValue("value", value);
        if (content.length > VALUE_BYTES_MAX) {
            throw new InvalidInputException("The value has " + content.length
                    + " bytes when serialised, more than the limit of " + VALUE_BYTES_MAX + ". Put parts of it.");
        }
        CompletableFuture<Void> leased = CompletableFuture.completedFuture(null);
        boolean held = caller.parent().isEmpty();
        if (held) {
            CompletableFuture<Void> begun = lease.begun();
            leased = options.retention().isPresent() ? begun : leased;
        }
        return content.length <= ValueSizes.INLINE_BYTES_MAX
                ? submit(options, value, content, held, leased)
                : upload(options, value, content, held, leased);
    }

    /** Sends a small value with whatever else is submitted at the time. */
    private <T> DurableFuture<T> submit(
            SubmitOptions options, @Nullable T value, byte[] content, boolean held, CompletableFuture<Void> leased) {
        SubmittedFuture.Builder submitted = SubmittedFuture.newBuilder()
                .setName(options.name())
                .setJob(options.job())
                .setSchedulingSpec(SchedulingSpecs.of(options))
                .setValue(UnsafeByteOperations.unsafeWrap(content));
        caller.parent().ifPresent(parent -> submitted.setParent(Ids.bytes(parent)));
        if (held) {
            submitted.setClient(lease.id());
        }
        FutureId id = Ids.ofRandom(connection.environment().randomId());
        PendingSubmit pending = new PendingSubmit(
                id,
                submitted.setId(Ids.bytes(id)).build(),
                SubmittedFunction.getDefaultInstance(),
                leased,
                new CompletableFuture<>());
        RemoteFuture<T> future = RemoteFuture.of(
                new RemoteFuture.Origin(id, completions, caller, pending.submitted(), loaderOf(value), options));
        hub.submit(pending, future);
        return future;
    }

    /** Streams a value to a worker. */
    private <T> DurableFuture<T> upload(
            SubmitOptions options, @Nullable T value, byte[] content, boolean held, CompletableFuture<Void> leased) {
        FutureId id = Ids.ofRandom(connection.environment().randomId());
        CRC32C checksum = new CRC32C();
        checksum.update(content);
        PutChunk.Builder first = PutChunk.newBuilder()
                .setId(Ids.bytes(id))
                .setName(options.name())
                .setJob(options.job())
                .setSchedulingSpec(SchedulingSpecs.of(options))
                .setBytes(content.length)
                .setChecksum((int) checksum.getValue())
                .setCopies(caller.parent().isPresent() ? COPIES_OF_TASKS : COPIES_OF_PROGRAMS);
        caller.parent().ifPresent(parent -> first.setParent(Ids.bytes(parent)));
        if (held) {
            first.setClient(lease.id());
        }
        CompletableFuture<Void> recorded = new CompletableFuture<>();
        RemoteFuture<T> future =
                RemoteFuture.of(new RemoteFuture.Origin(id, completions, caller, recorded, loaderOf(value), options));
        completions.expect(future);
        hub.uploading(id, recorded);
        leased.thenCompose(begun -> connection.<PutReply>call((stub, answer) -> {
                    var unused = stub.withOnReadyThreshold(LargeMessages.READY_BYTES)
                            .put(new StreamUpload<>(
                                    StreamUpload.Source.of(content),
                                    piece -> first.setContent(piece).build(),
                                    piece -> PutChunk.newBuilder()
                                            .setContent(piece)
                                            .build(),
                                    answer));
                }))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        completions.forget(future);
                        recorded.completeExceptionally(failure);
                    } else {
                        completions.done(id, realized(id, content.length));
                        recorded.complete(null);
                    }
                });
        return future;
    }

    /** What has become of a value that is recorded: nobody needs to be asked. */
    private static Outcome realized(FutureId id, int bytes) {
        return Outcome.newBuilder()
                .setId(Ids.bytes(id))
                .setState(State.STATE_REALIZED)
                .setValueBytes(bytes)
                .build();
    }

    /** Deletes futures; how many were known until now. */
    int delete(Collection<? extends DurableFuture<?>> futures) {
        int deleted = 0;
        for (List<ByteString> ids : RecordedIds.of(futures)) {
            DeleteRequest request = DeleteRequest.newBuilder().addAllIds(ids).build();
            DeleteReply reply =
                    GatewayConnection.await(connection.call((stub, answer) -> stub.delete(request, answer)));
            deleted += reply.getDeletedCount();
        }
        return deleted;
    }

    /**
     * The content of a realized future's value.
     *
     * @throws ObjectLostException if there is no copy of it
     * @throws dev.ratchet.client.ConnectionException if the connection is closed meanwhile, or no worker accepts it
     */
    byte[] stored(FutureId id) {
        CompletableFuture<byte[]> content = ValueFetch.start(connection, id, true);
        try {
            return content.join();
        } catch (CompletionException failed) {
            connection.requireOpen();
            Status status = Status.fromThrowable(failed);
            if (status.getCode() == Status.Code.DATA_LOSS) {
                throw new ObjectLostException("The result of " + id + " is lost with the workers that held it.");
            }
            throw ValueFetch.failure(connection, id, failed);
        }
    }

    /** Sees to it that a result has so many copies; the seats that hold it. */
    List<String> replicate(DurableFuture<?> future, int copies) {
        return place(future, PlaceRequest.newBuilder().setCopies(copies));
    }

    /** Moves a result; the seats that hold it. */
    List<String> transfer(DurableFuture<?> future, String seat) {
        return place(future, PlaceRequest.newBuilder().setSeat(seat));
    }

    /** Holds futures beyond their retention, or lets go of them; how many are known. */
    int hold(Collection<? extends DurableFuture<?>> futures, boolean release) {
        GatewayConnection.await(lease.begun());
        int held = 0;
        for (List<ByteString> ids : RecordedIds.of(futures)) {
            HoldRequest request = HoldRequest.newBuilder()
                    .setClient(lease.id())
                    .addAllIds(ids)
                    .setRelease(release)
                    .build();
            HoldReply reply = GatewayConnection.await(connection.call((stub, answer) -> stub.hold(request, answer)));
            held += reply.getIdsCount();
        }
        return held;
    }

    /** Binds a name, unbinds it, or says what it is bound to. */
    Optional<FutureId> bind(BindRequest request) {
        BindReply reply = GatewayConnection.await(connection.call((stub, answer) -> stub.bind(request, answer)));
        return reply.getId().isEmpty() ? Optional.empty() : Optional.of(Ids.of(reply.getId()));
    }

    private List<String> place(DurableFuture<?> future, PlaceRequest.Builder how) {
        GatewayConnection.await(completions.recorded(future.id()));
        PlaceRequest request = how.setId(Ids.bytes(future.id())).build();
        PlaceReply reply = GatewayConnection.await(connection.call((stub, answer) -> stub.place(request, answer)));
        return reply.getSeatsList();
    }

    private static ClassLoader loaderOf(@Nullable Object value) {
        ClassLoader loader = value == null ? null : value.getClass().getClassLoader();
        return loader == null ? ValueCalls.class.getClassLoader() : loader;
    }
}
