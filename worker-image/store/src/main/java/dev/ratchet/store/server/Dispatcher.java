/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.protocol.store.v1.Get;
import dev.ratchet.protocol.store.v1.Request;
import dev.ratchet.protocol.store.v1.Response;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.RequestId;
import dev.ratchet.store.transaction.StoreConnection;
import dev.ratchet.store.wire.Requests;
import dev.ratchet.store.wire.Responses;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Calls the engine for one request of one client. Holds no state. */
record Dispatcher(StoreConnection engine, long clientId) {

    /** What the engine was asked, and the answer to come; cancelling the first ends a watch. */
    record Call(CompletableFuture<?> asked, CompletableFuture<Response> answer) {}

    Call call(Request request) {
        long id = request.getId();
        return switch (request.getKindCase()) {
            case READ_VERSION ->
                then(
                        engine.readVersion(Requests.readVersion(request.getReadVersion())),
                        version -> Responses.version(id, version));
            case GET -> get(id, request.getGet());
            case RESOLVE ->
                then(
                        engine.resolve(request.getResolve().getVersion(), Requests.selector(request.getResolve())),
                        key -> Responses.bytes(id, key));
            case RANGE -> then(engine.range(Requests.range(request.getRange())), chunk -> Responses.rows(id, chunk));
            case COMMIT ->
                then(
                        engine.commit(Requests.commit(request.getCommit(), clientId)),
                        outcome -> Responses.committed(id, outcome));
            case SETTLE ->
                then(
                        engine.settle(
                                new RequestId(clientId, request.getSettle().getSequence())),
                        outcome -> Responses.settled(id, outcome));
            case WATCH -> then(engine.watch(Requests.watch(request.getWatch())), changed -> Responses.changed(id));
            case ESTIMATED_SIZE ->
                then(
                        engine.estimatedSizeBytes(
                                request.getEstimatedSize().getBegin().toByteArray(),
                                request.getEstimatedSize().getEnd().toByteArray()),
                        size -> Responses.sizeBytes(id, size));
            case SPLIT_POINTS ->
                then(
                        engine.splitPoints(
                                request.getSplitPoints().getBegin().toByteArray(),
                                request.getSplitPoints().getEnd().toByteArray(),
                                request.getSplitPoints().getChunkBytes()),
                        keys -> Responses.keys(id, keys));
            case STATUS -> then(engine.status(), document -> Responses.bytes(id, document));
            case PIECE, KIND_NOT_SET ->
                then(
                        CompletableFuture.failedFuture(new EmbeddedFDBException(
                                "The store does not know this kind of request", ErrorCode.UNSUPPORTED_OPERATION)),
                        nothing -> Responses.changed(id));
        };
    }

    private Call get(long id, Get get) {
        byte[] key = get.getKey().toByteArray();
        if (!get.hasAtNew()) {
            return then(engine.get(get.getVersion(), key), value -> Responses.value(id, value));
        }
        StoreConnection.FirstRead first = engine.firstGet(Requests.readVersion(get.getAtNew()), key);
        return then(first.value(), value -> Responses.value(id, first.version().join(), value));
    }

    private static <T> Call then(CompletableFuture<T> asked, Function<T, Response> answer) {
        return new Call(asked, asked.thenApply(answer));
    }
}
