/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectWriter;
import dev.ratchet.futures.submit.ValueRegistration;
import dev.ratchet.protocol.client.v1.PutChunk;
import dev.ratchet.protocol.client.v1.PutReply;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Receives one value: small ones into memory, others straight into the object store, a message at a time. Used by one
 * thread at a time.
 */
final class PutUpload implements StreamObserver<PutChunk> {

    private static final long VALUE_BYTES_MAX = 1L << 30;

    /** Messages on their way: one is on the network while another is stored. */
    private static final int WINDOW = 4;

    private final ValueRegistration valueRegistration;
    private final ObjectStore objects;
    private final ServerCallStreamObserver<PutReply> client;
    private PutChunk announced = PutChunk.getDefaultInstance();
    private boolean started;
    private boolean ended;
    private ByteString small = ByteString.EMPTY;
    private @Nullable ObjectWriter large;
    /** Of a large value: whether its id is a future's already. */
    private CompletableFuture<Boolean> isKnown = CompletableFuture.completedFuture(false);

    PutUpload(ValueRegistration valueRegistration, ObjectStore objects, ServerCallStreamObserver<PutReply> client) {
        this.valueRegistration = valueRegistration;
        this.objects = objects;
        this.client = client;
        client.setOnCancelHandler(this::discard);
        client.disableAutoRequest();
        client.request(WINDOW);
    }

    @Override
    public void onNext(PutChunk message) {
        if (ended) {
            return;
        }
        try {
            if (!started) {
                start(message);
            }
            ObjectWriter writer = large;
            if (writer != null) {
                writer.write(message.getContent());
            } else {
                small = small.concat(message.getContent());
                require(small.size() <= announced.getBytes(), "The value is larger than announced");
            }
            client.request(1);
        } catch (IllegalArgumentException refused) {
            fail(Status.INVALID_ARGUMENT, refused);
        } catch (StatusRuntimeException notAllowed) {
            discard();
            client.onError(notAllowed);
        } catch (RuntimeException full) {
            fail(Status.RESOURCE_EXHAUSTED, full);
        }
    }

    private void start(PutChunk message) {
        PutChunk first = Confinement.bound(message);
        require(
                first.getBytes() >= 0 && first.getBytes() <= VALUE_BYTES_MAX,
                "A value has at most " + VALUE_BYTES_MAX + " bytes, not " + first.getBytes());
        require(
                !first.getJob().isEmpty()
                        && first.getJob().length() <= SubmitOptions.NAME_LENGTH_MAX
                        && first.getName().length() <= SubmitOptions.NAME_LENGTH_MAX,
                "Name and job have at most " + SubmitOptions.NAME_LENGTH_MAX + " characters, and a job at least one");
        Optional<String> problem = SchedulingSpecs.problem(first.getSchedulingSpec());
        require(problem.isEmpty(), problem.orElse(""));
        FutureId id = Ids.of(first.getId());
        require(!BlockIds.isBlock(id), "This is the id of a block. Let random() or ofKey() choose ids");
        if (!first.getParent().isEmpty()) {
            var unused = Ids.of(first.getParent());
        }
        if (!ValueRegistration.isInline(first.getBytes())) {
            isKnown = valueRegistration.isKnown(id);
            large = objects.begin(new ObjectName(id, ValueRegistration.EPOCH), first.getBytes());
        }
        announced = first.toBuilder().clearContent().build();
        started = true;
    }

    @Override
    public void onCompleted() {
        if (ended) {
            return;
        }
        if (!started) {
            fail(Status.INVALID_ARGUMENT, new IllegalArgumentException("The first message describes the value"));
            return;
        }
        ended = true;
        FutureId id = Ids.of(announced.getId());
        FutureRecord.Builder description = FutureRecord.newBuilder()
                .setName(announced.getName())
                .setJob(announced.getJob())
                .setSchedulingSpec(announced.getSchedulingSpec())
                .setParent(announced.getParent());
        if (!announced.getClient().isEmpty()) {
            description.addClients(announced.getClient());
        }
        record(id, description.build()).whenComplete((unused, failure) -> {
            if (failure == null) {
                Answers.orFail(client, () -> {
                    client.onNext(PutReply.getDefaultInstance());
                    client.onCompleted();
                });
            } else {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                client.onError(Answers.status(cause));
            }
        });
    }

    private CompletableFuture<Void> record(FutureId id, FutureRecord description) {
        ObjectWriter writer = large;
        if (writer == null) {
            return recordSmall(id, description);
        }
        return isKnown.whenComplete((known, unreadable) -> {
                    if (unreadable != null) {
                        discard();
                    }
                })
                .thenCompose(known -> recordLarge(id, description, writer, known));
    }

    /** The object of a future that is known stays what it is: another one would take its name. */
    private CompletableFuture<Void> recordLarge(
            FutureId id, FutureRecord description, ObjectWriter writer, boolean isKnown) {
        try {
            if (isKnown) {
                discard();
                return CompletableFuture.completedFuture(null);
            }
            return valueRegistration.put(
                    id, description, writer.complete(announced.getChecksum()), announced.getCopies());
        } catch (RuntimeException | Error damaged) {
            discard();
            return CompletableFuture.failedFuture(damaged);
        }
    }

    private CompletableFuture<Void> recordSmall(FutureId id, FutureRecord description) {
        try {
            CRC32C checksum = new CRC32C();
            checksum.update(small.asReadOnlyByteBuffer());
            if (small.size() != announced.getBytes() || (int) checksum.getValue() != announced.getChecksum()) {
                throw new IllegalStateException(
                        "The value has arrived damaged: bytes=" + small.size() + " expected=" + announced.getBytes());
            }
            return valueRegistration.put(id, description, small);
        } catch (RuntimeException | Error damaged) {
            discard();
            return CompletableFuture.failedFuture(damaged);
        }
    }

    @Override
    public void onError(Throwable gone) {
        discard();
    }

    private void fail(Status status, RuntimeException failure) {
        discard();
        client.onError(status.withDescription(failure.getMessage()).asRuntimeException());
    }

    private void discard() {
        ended = true;
        ObjectWriter writer = large;
        if (writer != null) {
            writer.close();
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
