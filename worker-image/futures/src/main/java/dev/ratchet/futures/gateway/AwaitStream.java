/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.futures.work.Awaiting;
import dev.ratchet.futures.work.OutcomeListener;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One client's stream of outcomes. Outcomes wait here while the client is slow, each once; what they hold is bounded by
 * what the client has asked for. Safe for use by several threads.
 */
final class AwaitStream implements StreamObserver<AwaitRequest>, OutcomeListener {

    /** Futures awaited on one stream. */
    private static final int FUTURES_MAX = 1_000_000;

    private static final int BATCH_BYTES_MAX = 1 << 20;

    private final Waiters waiters;
    private final Supplier<Awaiting> awaiting;
    private final String seat;
    private final ServerCallStreamObserver<OutcomeBatch> client;
    private final Set<FutureId> asked = new HashSet<>();
    private final Deque<Outcome> ready = new ArrayDeque<>();
    private boolean ended;

    AwaitStream(
            Waiters waiters, Supplier<Awaiting> awaiting, String seat, ServerCallStreamObserver<OutcomeBatch> client) {
        this.waiters = waiters;
        this.awaiting = awaiting;
        this.seat = seat;
        this.client = client;
        client.setOnReadyHandler(this::send);
        client.setOnCancelHandler(this::end);
    }

    @Override
    public void onNext(AwaitRequest request) {
        List<FutureId> ids = new ArrayList<>();
        synchronized (this) {
            request.getIdsList().forEach(bytes -> {
                FutureId id = Ids.of(bytes);
                asked.add(id);
                ids.add(id);
            });
            if (asked.size() > FUTURES_MAX) {
                fail(Status.RESOURCE_EXHAUSTED, "A connection awaits at most " + FUTURES_MAX + " futures at once");
                return;
            }
        }
        ids.forEach(id -> waiters.add(id, this));
        for (int from = 0; from < ids.size(); from += Awaiting.BATCH_MAX) {
            register(ids.subList(from, Math.min(ids.size(), from + Awaiting.BATCH_MAX)));
        }
    }

    private void register(List<FutureId> ids) {
        awaiting.get().register(seat, ids).whenComplete((records, failure) -> {
            if (failure != null) {
                fail(Status.UNAVAILABLE, "The futures can not be read: " + failure);
                return;
            }
            ids.forEach(id -> answer(id, records));
            send();
        });
    }

    private void answer(FutureId id, Map<FutureId, FutureRecord> records) {
        FutureRecord record = records.get(id);
        if (record == null) {
            offer(id, Outcomes.unknown(id));
        } else if (Lifecycle.isDone(record.getState())) {
            offer(id, Outcomes.of(id, record));
        }
    }

    @Override
    public void done(FutureId id, FutureRecord record) {
        if (Lifecycle.isDone(record.getState())) {
            offer(id, Outcomes.of(id, record));
            send();
        } else {
            // Its result was lost between the message and its reading.
            waiters.add(id, this);
            register(List.of(id));
        }
    }

    private synchronized void offer(FutureId id, Outcome outcome) {
        if (!ended && asked.remove(id)) {
            ready.add(outcome);
        }
    }

    private synchronized void send() {
        while (!ended && !ready.isEmpty() && client.isReady()) {
            OutcomeBatch.Builder batch = OutcomeBatch.newBuilder();
            int bytes = 0;
            while (!ready.isEmpty() && bytes < BATCH_BYTES_MAX) {
                Outcome outcome = ready.remove();
                bytes += outcome.getSerializedSize();
                batch.addOutcomes(outcome);
            }
            client.onNext(batch.build());
        }
    }

    private synchronized void fail(Status status, String description) {
        if (!ended) {
            end();
            client.onError(status.withDescription(description).asRuntimeException());
        }
    }

    private synchronized void end() {
        ended = true;
        ready.clear();
        asked.clear();
        waiters.remove(this);
    }

    @Override
    public void onError(Throwable gone) {
        end();
    }

    @Override
    public synchronized void onCompleted() {
        if (!ended) {
            end();
            client.onCompleted();
        }
    }
}
