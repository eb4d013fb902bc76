/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readies DELAYED futures when they are due. The worker that has delayed one sets a timer for it; the others look now
 * and then, in case that worker is gone. The time of day decides only when somebody looks, see {@link AgreedClock}: if
 * it is wrong, futures are early or late by as much, and nothing else.
 */
public final class Delays {

    private static final Logger LOG = LoggerFactory.getLogger(Delays.class);

    /** Futures readied by one transaction. */
    private static final int PAGE = 200;

    private final FutureStore store;
    private final IdleSeats idleSeats;
    private @Nullable Cancellable timer;
    private long timerMillis = Long.MAX_VALUE;

    public Delays(FutureStore store) {
        this.store = store;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /** Looks at {@code dueMillis}, a wall clock, unless a look before that is planned. */
    synchronized void plan(long dueMillis) {
        if (dueMillis >= timerMillis) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        timerMillis = dueMillis;
        long wait = Math.max(0, dueMillis - store.environment().wallClockMillis());
        timer = store.environment().schedule(wait, this::elapsed);
    }

    /** Readies everything that is due, and plans the next look. */
    public void look() {
        readySome().whenComplete((more, failure) -> {
            if (failure != null) {
                LOG.warn("delayed futures can not be readied, to be tried again by the next sweep", failure);
            } else if (more) {
                look();
            }
        });
    }

    private void elapsed() {
        synchronized (this) {
            timer = null;
            timerMillis = Long.MAX_VALUE;
        }
        look();
    }

    private CompletableFuture<Boolean> readySome() {
        FutureKeys keys = store.keys();
        return store.run(futures -> futures.transaction()
                .snapshot()
                .getRange(keys.timers.range(), PAGE + 1, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(found -> ready(futures, found)));
    }

    private CompletableFuture<Boolean> ready(FutureTransaction futures, List<KeyValue> found) {
        FutureKeys keys = store.keys();
        long now = store.environment().wallClockMillis();
        Map<FutureId, Long> tickets = new LinkedHashMap<>();
        for (KeyValue pair : found) {
            long due = keys.timers.elements(pair.getKey()).getLong(0);
            if (due > now) {
                plan(due);
                break;
            }
            if (tickets.size() == PAGE) {
                break;
            }
            tickets.put(
                    Ids.read(pair.getValue(), 0),
                    ByteBuffer.wrap(pair.getValue()).getLong(Ids.BYTES));
            futures.dequeue(pair.getKey());
        }
        return futures.loadAll(tickets.keySet()).thenCompose(loaded -> {
            for (LoadedFuture future : loaded) {
                Long ticket = tickets.get(future.id());
                if (future.state() == State.STATE_DELAYED
                        && ticket != null
                        && future.record().getTicket() == ticket) {
                    futures.ready(future, Event.DUE);
                }
            }
            return idleSeats.wake(futures).thenApply(unused -> tickets.size() == PAGE);
        });
    }
}
