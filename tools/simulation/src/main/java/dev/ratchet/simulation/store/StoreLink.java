/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.store;

import com.apple.foundationdb.KeySelector;
import dev.ratchet.simulation.network.Network;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.ConflictException;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.RangeChunk;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.RequestId;
import dev.ratchet.store.transaction.StoreConnection;
import dev.ratchet.store.transaction.WatchRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One process's way to the store. Requests and answers are messages: they take time, wait while the network between the
 * two is cut and travel on when it heals, and a call that was under way when the store died fails when it is back: 1021
 * for a commit, 1037 for anything else.
 */
final class StoreLink implements StoreConnection {

    private final SimulatedStore store;
    private final VirtualProcess client;
    private final Network network;
    private final Set<Call<?>> open = new LinkedHashSet<>();

    StoreLink(SimulatedStore store, VirtualProcess client, Network network) {
        this.store = store;
        this.client = client;
        this.network = network;
    }

    private final class Call<T extends @Nullable Object> {
        private final Function<EmbeddedEngine, CompletableFuture<T>> operation;
        private final int codeWhenLost;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private boolean under;

        Call(int codeWhenLost, Function<EmbeddedEngine, CompletableFuture<T>> operation) {
            this.operation = operation;
            this.codeWhenLost = codeWhenLost;
        }

        CompletableFuture<T> begin() {
            open.add(this);
            long delay = store.faults().delayNanos(store.world().random());
            network.carry(client, Network.STORE, () -> store.world().at(delay, store.process(), this::perform));
            return answer;
        }

        private void perform() {
            if (under) {
                return;
            }
            under = true;
            CompletableFuture<T> performed = operation.apply(store.engine());
            answer.whenComplete((value, failure) -> performed.cancel(false));
            performed.whenComplete((value, failure) ->
                    network.carry(Network.STORE, client, () -> store.world().at(0, client, () -> end(value, failure))));
        }

        private void end(T value, @Nullable Throwable failure) {
            if (open.remove(this)) {
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
            }
        }

        @SuppressWarnings("NullAway") // With a failure the value is not looked at.
        void storeIsBack() {
            if (under || codeWhenLost != ErrorCode.COMMIT_UNKNOWN_RESULT) {
                store.world().at(0, client, () -> end(null, new EmbeddedFDBException(codeWhenLost)));
            } else {
                begin();
            }
        }
    }

    /** The store's process is another one than that which the calls went to. */
    void storeIsBack() {
        new ArrayList<>(open).forEach(Call::storeIsBack);
    }

    boolean isOver() {
        return client.isDead();
    }

    private <T extends @Nullable Object> CompletableFuture<T> read(
            Function<EmbeddedEngine, CompletableFuture<T>> operation) {
        Integer error = store.faults().ofRead(store.world().random());
        return call(
                ErrorCode.PROCESS_BEHIND,
                error == null ? operation : engine -> CompletableFuture.failedFuture(new EmbeddedFDBException(error)));
    }

    private <T extends @Nullable Object> CompletableFuture<T> call(
            int codeWhenLost, Function<EmbeddedEngine, CompletableFuture<T>> operation) {
        client.mayStray("the store");
        return new Call<>(codeWhenLost, operation).begin();
    }

    @Override
    public CompletableFuture<Long> readVersion(ReadVersionRequest request) {
        return call(ErrorCode.PROCESS_BEHIND, engine -> {
            store.countRead();
            return engine.readVersion(request);
        });
    }

    @Override
    public CompletableFuture<byte @Nullable []> get(long version, byte[] key) {
        return this.<byte @Nullable []>read(engine -> engine.get(version, key));
    }

    @Override
    public CompletableFuture<byte[]> resolve(long version, KeySelector selector) {
        return read(engine -> engine.resolve(version, selector));
    }

    @Override
    public CompletableFuture<RangeChunk> range(RangeRead read) {
        return read(engine -> engine.range(read));
    }

    @Override
    public CompletableFuture<CommitOutcome> commit(CommitRequest request) {
        return switch (store.faults().ofCommit(store.world().random())) {
            case AS_USUAL -> call(ErrorCode.COMMIT_UNKNOWN_RESULT, engine -> commit(engine, request));
            case UNKNOWN_AND_DONE ->
                call(ErrorCode.COMMIT_UNKNOWN_RESULT, engine -> commit(engine, request)
                        .thenCompose(done -> failed(ErrorCode.COMMIT_UNKNOWN_RESULT)));
            case UNKNOWN_AND_NOT_DONE ->
                call(ErrorCode.COMMIT_UNKNOWN_RESULT, engine -> failed(ErrorCode.COMMIT_UNKNOWN_RESULT));
            case CONFLICT -> call(ErrorCode.COMMIT_UNKNOWN_RESULT, engine -> failed(ErrorCode.NOT_COMMITTED));
            case TOO_OLD -> call(ErrorCode.COMMIT_UNKNOWN_RESULT, engine -> failed(ErrorCode.TRANSACTION_TOO_OLD));
        };
    }

    private CompletableFuture<CommitOutcome> commit(EmbeddedEngine engine, CommitRequest request) {
        return engine.commit(reportingConflicts(request))
                .whenComplete((outcome, failure) -> {
                    if (failure instanceof ConflictException conflict) {
                        store.refused(request, conflict.conflicts(), client);
                    }
                })
                .thenCompose(outcome -> store.committed(request, client, outcome));
    }

    private static CommitRequest reportingConflicts(CommitRequest request) {
        return new CommitRequest(
                request.readVersion(),
                request.readConflicts(),
                request.writeConflicts(),
                request.mutations(),
                request.sizeBytes(),
                request.requestId(),
                request.lockAware(),
                true,
                request.toldAtOnce());
    }

    private static CompletableFuture<CommitOutcome> failed(int code) {
        return CompletableFuture.failedFuture(new EmbeddedFDBException(code));
    }

    @Override
    public CompletableFuture<@Nullable CommitOutcome> settle(RequestId requestId) {
        return call(ErrorCode.PROCESS_BEHIND, engine -> engine.settle(requestId));
    }

    @Override
    public CompletableFuture<@Nullable Void> watch(WatchRequest request) {
        return call(ErrorCode.PROCESS_BEHIND, engine -> engine.watch(request));
    }

    @Override
    public CompletableFuture<Long> estimatedSizeBytes(byte[] begin, byte[] end) {
        return read(engine -> engine.estimatedSizeBytes(begin, end));
    }

    @Override
    public CompletableFuture<List<byte[]>> splitPoints(byte[] begin, byte[] end, long chunkBytes) {
        return read(engine -> engine.splitPoints(begin, end, chunkBytes));
    }

    @Override
    public CompletableFuture<byte[]> status() {
        return read(EmbeddedEngine::status);
    }

    @Override
    public void close() {
        open.clear();
    }
}
