/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.object.CopyRecords;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.Replication;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has another worker keep a second copy of what this one alone holds, where that is cheaper than what the loss of this
 * worker would cost: the time to copy the bytes against the time to compute them again, weighted by how probable the
 * loss is. The copying goes on in the background, a few objects at a time; what does not work is left out. Safe for use
 * by several threads.
 */
public final class SecondCopies {

    private static final Logger LOG = LoggerFactory.getLogger(SecondCopies.class);

    /** What a copy costs beside its bytes: a transaction and two calls. */
    private static final double MILLIS_PER_COPY = 5;

    /** Bytes are written to a disk, read, sent, and written again. */
    private static final double BYTES_PER_MILLI = 50_000;

    /** Copies on their way at once. */
    private static final int COPIED_AT_ONCE = 2;

    /** Objects that wait to be copied, and objects that are remembered because more deaths make them worth it. */
    private static final int REMEMBERED_MAX = 10_000;

    private final Environment environment;
    private final Seat seat;
    private final ObjectStore objects;
    private final Replication replication;
    private final CopyRecords records;
    private final Losses losses;
    private final ArrayDeque<ObjectName> waiting = new ArrayDeque<>();
    private final Set<ObjectName> coming = new HashSet<>();
    private final Map<ObjectName, StoredObject> tooCheap = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectName, StoredObject> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };

    private int running;

    public SecondCopies(
            Environment environment,
            Seat seat,
            Liveness liveness,
            ObjectStore objects,
            Replication replication,
            CopyRecords records) {
        this.environment = environment;
        this.seat = seat;
        this.objects = objects;
        this.replication = replication;
        this.records = records;
        this.losses = new Losses(environment, liveness);
    }

    /** The result of a future was recorded, and its only copy is here. */
    public void recorded(FutureId id, Outcome outcome) {
        if (outcome instanceof Outcome.Realized realized && realized.result().hasObject()) {
            StoredObject object = realized.result().getObject();
            ask(new ObjectName(id, object.getEpoch()), object);
        }
    }

    /** The holder of another copy may have died. */
    public void noticed(FutureId id, FutureRecord record) {
        StoredObject object = record.getResult().getObject();
        if (record.getState() != State.STATE_REALIZED || !object.getCopiesList().equals(List.of(replication.own()))) {
            return;
        }
        ObjectName name = new ObjectName(id, object.getEpoch());
        if (record.getSchedulingSpec().getNoReconstruction()) {
            enqueue(name);
        } else {
            ask(name, object);
        }
    }

    /** A worker has died: the others may follow. */
    public void died() {
        losses.died();
        double probability = losses.probability();
        List<ObjectName> dear;
        synchronized (this) {
            dear = tooCheap.entrySet().stream()
                    .filter(entry -> isWorthIt(entry.getValue(), probability))
                    .map(Map.Entry::getKey)
                    .toList();
            dear.forEach(tooCheap::remove);
        }
        dear.forEach(this::enqueue);
    }

    private void ask(ObjectName name, StoredObject object) {
        if (isWorthIt(object, losses.probability())) {
            enqueue(name);
        } else if (isWorthIt(object, 1)) {
            synchronized (this) {
                tooCheap.put(name, object);
            }
        }
    }

    /** Whether the loss costs more than a copy. */
    static boolean isWorthIt(StoredObject object, double probability) {
        return object.getLineageMillis() * probability > MILLIS_PER_COPY + object.getBytes() / BYTES_PER_MILLI;
    }

    private void enqueue(ObjectName name) {
        synchronized (this) {
            if (waiting.size() >= REMEMBERED_MAX || !coming.add(name)) {
                return;
            }
            waiting.add(name);
        }
        next();
    }

    private void next() {
        ObjectName name;
        synchronized (this) {
            if (running >= COPIED_AT_ONCE || waiting.isEmpty()) {
                return;
            }
            running++;
            name = waiting.remove();
        }
        GuardedCallbacks.begin(() -> copy(name))
                .whenCompleteAsync(
                        (unused, failure) -> {
                            synchronized (this) {
                                running--;
                                coming.remove(name);
                            }
                            if (failure != null) {
                                LOG.info("an object has no second copy object={}", name, failure);
                            }
                            next();
                        },
                        environment.executor());
    }

    private CompletableFuture<Void> copy(ObjectName name) {
        if (!seat.mayWork()) {
            return CompletableFuture.completedFuture(null);
        }
        return objects.find(name)
                .map(own -> replication.secondCopy(own, seat.name()).thenCompose(copy -> copy.map(
                                other -> name(own, other))
                        .orElseGet(() -> CompletableFuture.completedFuture(null))))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<Void> name(ObjectStore.Stored own, Copy copy) {
        return records.add(own.name(), copy).thenAccept(named -> {
            if (named) {
                objects.counters().secondCopies.increment();
                objects.counters().secondCopyBytes.add(own.bytes());
            }
        });
    }
}
