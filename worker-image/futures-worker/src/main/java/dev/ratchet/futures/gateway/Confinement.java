/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.protocol.client.v1.BindRequest;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.client.v1.LogsRequest;
import dev.ratchet.protocol.client.v1.PutChunk;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.security.CallerIdentity;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps callers that belong to one tenant ({@link CallerIdentity#TENANT}) from what belongs to others. What they submit
 * is that tenant's whatever they say, unless they name another one, which is refused; ids that follow from keys are
 * theirs only if they follow from their tenant; and they change only futures of their tenant. Everybody else, tasks of
 * the cluster among them, is not confined. Asked on the thread of the call.
 */
final class Confinement {

    /** Futures whose lines are asked for at once. */
    private static final int LOG_FUTURES_MAX = 1_000;

    private final Queries queries;

    Confinement(Queries queries) {
        this.queries = queries;
    }

    private static @Nullable String own() {
        return CallerIdentity.TENANT.get();
    }

    /**
     * The request in the name of the caller's tenant. An id that is drawn may have been told to the caller by whoever
     * has drawn it, and is looked up.
     *
     * @throws StatusRuntimeException if it is another one's
     */
    static SubmitRequest bound(SubmitRequest request) {
        String tenant = own();
        if (tenant == null) {
            return request;
        }
        SubmitRequest.Builder bound = request.toBuilder().setMayNameKnown(true);
        for (SubmittedFuture.Builder future : bound.getFuturesBuilderList()) {
            bind(future, tenant);
        }
        bound.getBlocksBuilderList().forEach(block -> bind(block.getCommonBuilder(), tenant));
        return bound.build();
    }

    private static void bind(SubmittedFuture.Builder future, String tenant) {
        future.setSchedulingSpec(bound(future.getSchedulingSpec(), tenant));
        requireOwnId(future.getId(), future.getKey(), tenant);
        if (!future.getActor().isEmpty() || !future.getParent().isEmpty()) {
            requireOwnActor(future, tenant);
        }
    }

    private static void requireOwnActor(SubmittedFuture.Builder future, String tenant) {
        if (!future.getParent().isEmpty()) {
            throw refused("Only a task submits in the name of a future");
        }
        String key = future.getActorKey();
        if (!FutureId.ofKey(tenant, key).equals(Ids.of(future.getActor()))) {
            throw refused(
                    "The actor is not one of the tenant " + tenant + ": get it with withTenant(\"" + tenant + "\")");
        }
    }

    /** The first message of a value in the name of the caller's tenant. */
    static PutChunk bound(PutChunk first) {
        String tenant = own();
        if (tenant == null || first.getId().isEmpty()) {
            return first;
        }
        requireOwnId(first.getId(), "", tenant);
        if (!first.getParent().isEmpty()) {
            throw refused("Only a task puts values in the name of a future");
        }
        return first.toBuilder()
                .setSchedulingSpec(bound(first.getSchedulingSpec(), tenant))
                .build();
    }

    private static SchedulingSpec bound(SchedulingSpec schedulingSpec, String tenant) {
        requireOwn(schedulingSpec.getTenant(), tenant);
        return schedulingSpec.toBuilder().setTenant(tenant).build();
    }

    private static void requireOwn(String named, String tenant) {
        if (!named.isEmpty() && !named.equals(SchedulingSpecs.DEFAULT_TENANT) && !named.equals(tenant)) {
            throw refused("This client belongs to the tenant " + tenant + ", and may not act for the tenant " + named);
        }
    }

    private static void requireOwnId(ByteString bytes, String key, String tenant) {
        FutureId id = Ids.of(bytes);
        if (!id.isDrawn() && (key.isEmpty() || !FutureId.ofKey(tenant, key).equals(id))) {
            throw refused("The id " + id + " does not follow from a key of the tenant " + tenant
                    + ": submit with withTenant(\"" + tenant + "\"), and with a client of this release");
        }
    }

    static BindRequest bound(BindRequest request) {
        String tenant = own();
        if (tenant == null) {
            return request;
        }
        requireOwn(request.getTenant(), tenant);
        return request.toBuilder().setTenant(tenant).build();
    }

    static ListRequest bound(ListRequest request) {
        String tenant = own();
        if (tenant == null) {
            return request;
        }
        requireOwn(request.getTenant(), tenant);
        return request.toBuilder().setTenant(tenant).build();
    }

    /** Whoever is not confined may close any session; others show the secret of who opened it. */
    static CloseSessionRequest bound(CloseSessionRequest request) {
        if (own() != null && request.getOwnerSecret().isEmpty()) {
            throw refused("A session is closed by its owner's reference, or by a client of the role Admin");
        }
        return request;
    }

    /** As {@link #bound(CloseSessionRequest)}, of each that is to be closed. */
    static AskSlotsRequest bound(AskSlotsRequest request) {
        request.getRequestsList().stream().filter(SlotsRequest::hasClose).forEach(one -> bound(one.getClose()));
        return request;
    }

    /**
     * Lines of a worker are those of all tenants, and whose future it was that is not known any more nobody can say.
     * Fails as {@link #requireOwn}, and with NOT_FOUND.
     */
    CompletableFuture<Void> requireOwnLines(LogsRequest request) {
        String tenant = own();
        if (tenant == null) {
            return CompletableFuture.completedFuture(null);
        }
        List<ByteString> named = new ArrayList<>(request.getFuturesList());
        if (!request.getFuture().isEmpty()) {
            named.add(request.getFuture());
        }
        if (named.isEmpty()) {
            throw refused("The lines of a worker are of all tenants. Ask for those of a future");
        }
        if (named.size() > LOG_FUTURES_MAX) {
            throw new IllegalArgumentException(
                    "Lines of at most " + LOG_FUTURES_MAX + " futures are read at once, not " + named.size());
        }
        return requireOwn(
                named.stream().map(Ids::of).toList(), tenant, id -> GatewayService.known(id, Optional.empty()));
    }

    /** Fails with PERMISSION_DENIED if one of the futures is known and belongs to another tenant. */
    CompletableFuture<Void> requireOwn(List<FutureId> ids) {
        String tenant = own();
        return tenant == null ? CompletableFuture.completedFuture(null) : requireOwn(ids, tenant, unknown -> {});
    }

    private CompletableFuture<Void> requireOwn(List<FutureId> ids, String tenant, Consumer<FutureId> unknown) {
        List<CompletableFuture<Optional<FutureRecord>>> records =
                ids.stream().map(queries::record).toList();
        return AsyncUtil.whenAll(records)
                .thenAccept(all -> IntStream.range(0, ids.size()).forEach(i -> records.get(i)
                        .join()
                        .ifPresentOrElse(
                                record -> {
                                    if (!SchedulingSpecs.tenant(record).equals(tenant)) {
                                        throw refused("The future " + ids.get(i) + " belongs to another tenant than "
                                                + tenant);
                                    }
                                },
                                () -> unknown.accept(ids.get(i)))));
    }

    private static StatusRuntimeException refused(String reason) {
        return Status.PERMISSION_DENIED.withDescription(reason).asRuntimeException();
    }
}
