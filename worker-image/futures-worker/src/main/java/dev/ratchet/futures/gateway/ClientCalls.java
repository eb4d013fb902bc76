/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.collect.Holders;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.membership.client.ClientLeaseOverException;
import dev.ratchet.membership.client.ClientLeases;
import dev.ratchet.protocol.client.v1.AttachReply;
import dev.ratchet.protocol.client.v1.AttachRequest;
import dev.ratchet.protocol.client.v1.BindReply;
import dev.ratchet.protocol.client.v1.BindRequest;
import dev.ratchet.protocol.client.v1.DetachReply;
import dev.ratchet.protocol.client.v1.DetachRequest;
import dev.ratchet.protocol.client.v1.HoldReply;
import dev.ratchet.protocol.client.v1.HoldRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What clients ask about themselves, and about what is kept for them and by names. */
final class ClientCalls {

    private static final int NAME_LENGTH_MAX = 200;

    private final ClientLeases leases;
    private final Holders holders;

    ClientCalls(ClientLeases leases, Holders holders) {
        this.leases = leases;
        this.holders = holders;
    }

    /** Vouches for the client for as long as its stream is open. */
    void attach(AttachRequest request, ServerCallStreamObserver<AttachReply> client) {
        if (request.getName().length() > NAME_LENGTH_MAX) {
            throw new IllegalArgumentException("The name of a client has at most " + NAME_LENGTH_MAX + " characters");
        }
        UUID id = Holders.client(request.getClient());
        CompletableFuture<Void> gone = new CompletableFuture<>();
        client.setOnCancelHandler(() -> gone.complete(null));
        GuardedCallbacks.begin(() -> leases.connect(id, request.getName(), request.getBegins()))
                .whenComplete((connection, failure) -> {
                    if (failure != null) {
                        client.onError(refusal(failure).asRuntimeException());
                        return;
                    }
                    gone.thenRun(connection::close);
                    if (!gone.isDone()) {
                        Answers.orFail(
                                client,
                                () -> client.onNext(AttachReply.newBuilder()
                                        .setTtlMillis(ClientLeases.TTL_MILLIS)
                                        .build()));
                    }
                });
    }

    private static Status refusal(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Status status = cause instanceof ClientLeaseOverException ? Status.FAILED_PRECONDITION : Status.UNAVAILABLE;
        return status.withDescription(cause.getMessage());
    }

    CompletableFuture<DetachReply> detach(DetachRequest request) {
        return leases.end(Holders.client(request.getClient())).thenApply(done -> DetachReply.getDefaultInstance());
    }

    CompletableFuture<HoldReply> hold(HoldRequest request) {
        ByteString client = request.getClient();
        Holders.client(client);
        List<FutureId> ids = request.getIdsList().stream().map(Ids::of).toList();
        return holders.hold(client, ids, request.getRelease()).thenApply(held -> HoldReply.newBuilder()
                .addAllIds(held.stream().map(Ids::bytes).toList())
                .build());
    }

    CompletableFuture<BindReply> bind(BindRequest request) {
        CompletableFuture<Optional<FutureId>> bound =
                switch (request.getWishCase()) {
                    case BIND -> {
                        FutureId id = Ids.of(request.getBind());
                        yield holders.bind(request.getTenant(), request.getName(), id)
                                .thenApply(done -> Optional.of(id));
                    }
                    case UNBIND -> holders.unbind(request.getTenant(), request.getName());
                    case WISH_NOT_SET -> holders.bound(request.getTenant(), request.getName());
                };
        return bound.thenApply(id -> BindReply.newBuilder()
                .setId(id.map(Ids::bytes).orElse(ByteString.EMPTY))
                .build());
    }
}
