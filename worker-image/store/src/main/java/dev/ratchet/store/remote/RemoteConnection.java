/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.store.v1.Request;
import dev.ratchet.protocol.store.v1.Response;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.RangeChunk;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.RequestId;
import dev.ratchet.store.transaction.StoreConnection;
import dev.ratchet.store.transaction.WatchRequest;
import dev.ratchet.store.wire.Requests;
import dev.ratchet.store.wire.Responses;
import dev.ratchet.store.wire.StoreProtocol;
import io.grpc.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store in another process. Requests wait while there is no connection and are sent again after one was lost, as
 * FoundationDB's client does; only what the store refuses outright, such as a wrong certificate, fails. A commit is
 * never sent twice: its outcome is asked for after a reconnect. Futures complete on the environment's executor.
 *
 * <p>Safe for use by several threads. At most {@value Requester#PENDING} requests wait besides watches; more fail with
 * 1042, which a retry loop answers by waiting.
 */
public final class RemoteConnection implements StoreConnection {

    private final Requester requester;
    private final AtomicLong ids = new AtomicLong();

    /**
     * Begins to connect and goes on trying until closed.
     *
     * @param channels makes a new channel to the store for each attempt; this object shuts it down
     * @param self who the store shall take this process for; must be what its certificate says
     * @param release of Ratchet, for the store's log
     */
    public RemoteConnection(Supplier<ManagedChannel> channels, Identity self, String release, Environment environment) {
        this.requester = new Requester(channels, self, release, environment);
        requester.connect();
    }

    /**
     * Completes with the store's generation when the first session is open; fails when this process and the store
     * refuse each other before, which is then not logged. Until then requests wait; this object goes on trying.
     */
    public CompletableFuture<Long> opened() {
        return requester.opened();
    }

    private <T extends @Nullable Object> CompletableFuture<T> ask(
            LongFunction<Request> request, Function<Response, T> read) {
        return ask(new PendingRequest<>(request.apply(ids.incrementAndGet()), read));
    }

    private <T extends @Nullable Object> CompletableFuture<T> ask(PendingRequest<T> pending) {
        requester.submit(pending);
        return pending.answer;
    }

    @Override
    public CompletableFuture<Long> readVersion(ReadVersionRequest request) {
        return ask(id -> Requests.readVersion(id, request), Response::getVersion);
    }

    @Override
    public CompletableFuture<byte @Nullable []> get(long version, byte[] key) {
        return ask(id -> Requests.get(id, version, key), Responses::value);
    }

    @Override
    public FirstRead firstGet(ReadVersionRequest request, byte[] key) {
        CompletableFuture<Long> version = new CompletableFuture<>();
        CompletableFuture<byte @Nullable []> value = new CompletableFuture<>();
        ask(id -> Requests.get(id, request, key), Function.identity()).whenComplete((response, failure) -> {
            if (failure == null) {
                version.complete(response.getReadVersion());
                value.complete(Responses.value(response));
            } else {
                version.completeExceptionally(failure);
                value.completeExceptionally(failure);
            }
        });
        return new FirstRead(version, value);
    }

    @Override
    public CompletableFuture<byte[]> resolve(long version, KeySelector selector) {
        return ask(id -> Requests.resolve(id, version, selector), response -> response.getBytes()
                .toByteArray());
    }

    /** The store answers with {@value StoreProtocol#ROWS_BYTES} bytes of rows at most; what is missing is asked for. */
    @Override
    public CompletableFuture<RangeChunk> range(RangeRead read) {
        return part(read).thenCompose(first -> complete(read, first));
    }

    private CompletableFuture<RangeChunk> part(RangeRead read) {
        return ask(id -> Requests.range(id, read), Responses::rows);
    }

    private CompletableFuture<RangeChunk> complete(RangeRead read, RangeChunk chunk) {
        int rows = chunk.rows().size();
        if (!chunk.more() || rows == 0 || rows >= read.rowLimit()) {
            return CompletableFuture.completedFuture(chunk);
        }
        long bytes = 0;
        for (KeyValue row : chunk.rows()) {
            bytes += row.getKey().length + row.getValue().length;
        }
        if (bytes >= read.byteLimit()) {
            return CompletableFuture.completedFuture(chunk);
        }
        byte[] last = chunk.rows().get(rows - 1).getKey();
        RangeRead rest = new RangeRead(
                read.version(),
                read.reverse() ? read.begin() : KeySelector.firstGreaterThan(last),
                read.reverse() ? KeySelector.firstGreaterOrEqual(last) : read.end(),
                read.rowLimit() - rows,
                (int) (read.byteLimit() - bytes),
                read.reverse());
        return part(rest).thenCompose(next -> complete(rest, next)).thenApply(next -> joined(chunk, next));
    }

    private static RangeChunk joined(RangeChunk first, RangeChunk next) {
        List<KeyValue> rows = new ArrayList<>(first.rows().size() + next.rows().size());
        rows.addAll(first.rows());
        rows.addAll(next.rows());
        return new RangeChunk(
                rows,
                next.more(),
                first.readToBegin() || next.readToBegin(),
                first.readThroughEnd() || next.readThroughEnd());
    }

    @Override
    public CompletableFuture<CommitOutcome> commit(CommitRequest request) {
        long id = ids.incrementAndGet();
        return ask(new PendingRequest<>(Requests.commit(id, request, id), Responses::committed, request.toldAtOnce()));
    }

    @Override
    public CompletableFuture<@Nullable CommitOutcome> settle(RequestId requestId) {
        if (requestId.client() != requester.clientId()) {
            throw new IllegalArgumentException("Only the client that made a request can settle it: this is client "
                    + requester.clientId() + ", the request is of " + requestId.client());
        }
        return ask(id -> Requests.settle(id, requestId.sequence()), Responses::settled);
    }

    @Override
    public CompletableFuture<@Nullable Void> watch(WatchRequest request) {
        PendingRequest<@Nullable Void> pending =
                new PendingRequest<>(Requests.watch(ids.incrementAndGet(), request), response -> null);
        requester.submit(pending);
        return requester.cancellable(pending);
    }

    @Override
    public CompletableFuture<Long> estimatedSizeBytes(byte[] begin, byte[] end) {
        return ask(id -> Requests.estimatedSize(id, begin, end), Response::getSizeBytes);
    }

    @Override
    public CompletableFuture<List<byte[]>> splitPoints(byte[] begin, byte[] end, long chunkBytes) {
        return ask(id -> Requests.splitPoints(id, begin, end, chunkBytes), Responses::keys);
    }

    @Override
    public CompletableFuture<byte[]> status() {
        return ask(Requests::status, response -> response.getBytes().toByteArray());
    }

    @Override
    public void close() {
        requester.close();
    }
}
