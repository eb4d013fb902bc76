/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.objects.v1.AdoptReply;
import dev.ratchet.protocol.objects.v1.AdoptRequest;
import dev.ratchet.protocol.objects.v1.FetchObjectRequest;
import dev.ratchet.protocol.objects.v1.ObjectChunk;
import dev.ratchet.protocol.objects.v1.ObjectsGrpc;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Serves this worker's objects to the other workers, and takes copies of theirs. */
public final class ObjectsService extends ObjectsGrpc.ObjectsImplBase {

    private final ObjectStore objects;
    private final Function<AdoptRequest, CompletableFuture<AdoptReply>> adopter;

    /** @param adopter makes a copy of another worker's object here */
    public ObjectsService(ObjectStore objects, Function<AdoptRequest, CompletableFuture<AdoptReply>> adopter) {
        this.objects = objects;
        this.adopter = adopter;
    }

    @Override
    public void fetch(FetchObjectRequest request, StreamObserver<ObjectChunk> response) {
        ObjectName name = name(request.getName());
        Optional<ObjectStore.Stored> found = objects.find(name);
        if (found.isEmpty()) {
            response.onError(Status.NOT_FOUND
                    .withDescription("This worker does not hold the object " + name)
                    .asRuntimeException());
            return;
        }
        try {
            objects.counters().servedBytes.add(found.get().bytes());
            ObjectSender.send(
                    new ObjectReader(objects.open(found.get()), found.get().bytes()),
                    (ServerCallStreamObserver<ObjectChunk>) response,
                    content -> ObjectChunk.newBuilder().setContent(content).build());
        } catch (IOException problem) {
            boolean gone = DamagedObjectException.isGone(problem);
            if (!gone) {
                objects.counters().unreadable.increment();
            }
            Status status = gone ? Status.NOT_FOUND : Status.UNAVAILABLE;
            response.onError(status.withDescription("The object " + name + " can not be opened: " + problem)
                    .asRuntimeException());
        }
    }

    @Override
    public void adopt(AdoptRequest request, StreamObserver<AdoptReply> response) {
        GuardedCallbacks.begin(() -> adopter.apply(request)).whenComplete((reply, failure) -> {
            if (failure != null) {
                response.onError(Status.UNAVAILABLE
                        .withDescription("The object can not be copied: " + failure)
                        .asRuntimeException());
            } else {
                GuardedCallbacks.or(
                        () -> {
                            response.onNext(reply);
                            response.onCompleted();
                        },
                        unexpected -> response.onError(Status.UNAVAILABLE
                                .withDescription("No answer can be given: " + unexpected)
                                .asRuntimeException()));
            }
        });
    }

    /** The name in a message. */
    public static ObjectName name(dev.ratchet.protocol.objects.v1.ObjectName name) {
        return new ObjectName(Ids.of(name.getFuture()), name.getEpoch());
    }

    /** The name as a message. */
    public static dev.ratchet.protocol.objects.v1.ObjectName message(ObjectName name) {
        return dev.ratchet.protocol.objects.v1.ObjectName.newBuilder()
                .setFuture(Ids.bytes(name.future()))
                .setEpoch(name.epoch())
                .build();
    }
}
