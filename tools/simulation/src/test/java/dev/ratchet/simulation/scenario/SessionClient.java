/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.GatewayGrpc.GatewayStub;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.store.keyspace.Table;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A program that opens and closes sessions, by way of the first worker that is there, until it is answered. */
final class SessionClient {

    private static final long RETRY_MILLIS = 50;

    final VirtualProcess process;
    private final FuturesCluster futures;
    private int ids;

    SessionClient(FuturesCluster futures) {
        this.futures = futures;
        this.process = new VirtualProcess(futures.cluster.world, "sessions", 0);
    }

    /** A UUID of version 4. */
    UUID newId() {
        ids++;
        return new UUID(0x4000L, ids | Long.MIN_VALUE);
    }

    /** So many slots {@code gpu}, of which a worker has one. */
    static OpenSessionRequest.Builder request(UUID id, int slots, long creationMillis) {
        return OpenSessionRequest.newBuilder()
                .setId(SessionIds.bytes(id))
                .setDemand(SlotDemand.newBuilder().putSlots("gpu", slots))
                .setCreationTimeoutMillis(creationMillis)
                .setWaitForCapacity(true)
                .setOwnerSecret(SessionIds.bytes(id))
                .setUserSecret(SessionIds.bytes(id));
    }

    /** @param then is given the session once it does not wait any more */
    void open(OpenSessionRequest request, Consumer<SessionRecord> then) {
        this.<SessionDescription>call(
                (stub, answer) -> stub.openSession(request, answer), () -> open(request, then), reply -> {
                    if (reply.getRecord().getState() == SessionState.SESSION_STATE_WAITING) {
                        open(request, then);
                    } else {
                        then.accept(reply.getRecord());
                    }
                });
    }

    /** By way of the worker that has it, or of the store. */
    void close(UUID id, Runnable then) {
        CloseSessionRequest request = CloseSessionRequest.newBuilder()
                .setId(SessionIds.bytes(id))
                .setOwnerSecret(SessionIds.bytes(id))
                .setSeat(futures.cluster.world.random().nextBoolean() ? "orders-w-0" : "")
                .build();
        this.<SessionDescription>call(
                (stub, answer) -> stub.closeSession(request, answer), () -> close(id, then), reply -> then.run());
    }

    /** A call of the gateway. */
    interface Call<T> {
        void make(GatewayStub stub, StreamObserver<T> answer);
    }

    <T> void call(Call<T> call, Runnable again, Consumer<T> then) {
        List<SimulatedWorker> there =
                futures.workers.stream().filter(worker -> !worker.isGone()).toList();
        if (there.isEmpty()) {
            process.schedule(RETRY_MILLIS, again);
            return;
        }
        GatewayStub stub = GatewayGrpc.newStub(
                futures.cluster.network.channel(process, there.getFirst().address()));
        call.make(stub.withDeadlineAfter(25, TimeUnit.SECONDS), new StreamObserver<>() {
            @Override
            public void onNext(T reply) {
                then.accept(reply);
            }

            @Override
            public void onError(Throwable failure) {
                process.schedule(RETRY_MILLIS, again);
            }

            @Override
            public void onCompleted() {
                // The answer has come.
            }
        });
    }

    SessionRecord record(UUID id) {
        SessionKeys keys = keys();
        return futures.cluster
                .await(futures.cluster.database.readAsync(transaction -> keys.record(transaction, id)))
                .orElseThrow();
    }

    /** Futures of sessions that are not done, or whose code may run. */
    int futures(int limit) {
        return count(keys().futures, limit);
    }

    /** Whether nothing is held, waited for or to be ended. */
    boolean isIdle() {
        SessionKeys keys = keys();
        return Stream.of(keys.slots, keys.held, keys.ending, keys.futures, keys.waiting)
                .allMatch(table -> count(table, 1) == 0);
    }

    private SessionKeys keys() {
        return new SessionKeys(new FutureKeys(futures.cluster.keyspace));
    }

    private int count(Table<?> table, int limit) {
        return futures.cluster
                .await(futures.cluster.database.readAsync(transaction ->
                        transaction.getRange(table.range(), limit).asList()))
                .size();
    }
}
