/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Demand;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.queue.RequirementClasses;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds queued futures that no worker can run since workers have gone, and ends those that do not wait for one: only
 * after their class or seat has had no worker for a while, because most that go come back. At submit
 * {@code Schedulability} looks.
 */
public final class Unschedulable {

    private static final Logger LOG = LoggerFactory.getLogger(Unschedulable.class);

    /** How long a class, or a seat, may be without a worker. */
    private static final long GRACE_NANOS = 60_000_000_000L;

    /** Futures ended by one transaction. */
    private static final int PAGE = 100;

    private final FutureStore store;
    private final Members members;
    private final Recorder recorder;
    private final Dependents dependents;
    private final IdleSeats idleSeats;
    private final RequirementClasses classes;
    private final Map<String, Long> orphanedSince = new HashMap<>();

    /**
     * Queued futures that may be without a worker.
     *
     * @param name of their class or seat
     */
    private record Orphans(String name, Range entries, String reason) {}

    public Unschedulable(FutureStore store, Members members, Recorder recorder, Dependents dependents) {
        this.store = store;
        this.members = members;
        this.recorder = recorder;
        this.dependents = dependents;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
        this.classes = new RequirementClasses(store.keys());
    }

    /** Looks at all classes, and all seats, that have something queued; at the members only where there are such. */
    public CompletableFuture<Void> sweep() {
        return store.read(transaction -> Prefixes.of(transaction, store.keys().assignments, Requeue.SEATS_MAX)
                        .thenCompose(seats -> orphans(transaction, Map.of(), seats)))
                .thenCompose(ofSeats -> ofClasses(classes.begin(), new ArrayList<>(ofSeats)))
                .thenCompose(this::endOrphans);
    }

    private CompletableFuture<List<Orphans>> ofClasses(byte[] from, List<Orphans> before) {
        return store.read(transaction -> classes.page(transaction, from)
                        .thenCompose(page -> orphans(transaction, page.classes(), List.of())
                                .thenApply(some -> {
                                    before.addAll(some);
                                    return page;
                                })))
                .thenCompose(page -> page.next() == null
                        ? CompletableFuture.completedFuture(before)
                        : ofClasses(page.next(), before));
    }

    private CompletableFuture<List<Orphans>> orphans(
            ReadTransaction transaction, Map<String, Requirements> known, List<String> seats) {
        if (known.isEmpty() && seats.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return members.all(transaction)
                .thenCompose(all -> ofClasses(transaction, known, all).thenApply(some -> {
                    some.addAll(ofSeats(seats, all));
                    return some;
                }));
    }

    /** Classes that no worker is large enough for, and of which something is queued. */
    private CompletableFuture<List<Orphans>> ofClasses(
            ReadTransaction transaction, Map<String, Requirements> known, List<Member> all) {
        Map<Orphans, CompletableFuture<List<KeyValue>>> queued = new LinkedHashMap<>();
        known.forEach((id, required) -> new Demand(required, "").problem(all).ifPresent(reason -> {
            Range entries = store.keys().queue.range(id);
            queued.put(
                    new Orphans("class " + id, entries, reason),
                    transaction.getRange(entries, 1).asList());
        }));
        return AsyncUtil.whenAll(queued.values()).thenApply(unused -> {
            queued.values().removeIf(first -> first.join().isEmpty());
            return new ArrayList<>(queued.keySet());
        });
    }

    /** Seats that nobody has; whether what is assigned to them may run elsewhere is seen when it is ended. */
    private List<Orphans> ofSeats(List<String> seats, List<Member> all) {
        return seats.stream()
                .flatMap(seat -> new Demand(SchedulingSpecs.DEFAULT_REQUIREMENTS, seat)
                        .problem(all).stream()
                                .map(reason -> new Orphans(
                                        "seat " + seat, store.keys().assignments.range(seat), reason)))
                .toList();
    }

    private CompletableFuture<Void> endOrphans(List<Orphans> all) {
        long now = store.environment().nanoTime();
        List<Orphans> ending = new ArrayList<>();
        synchronized (orphanedSince) {
            orphanedSince.keySet().retainAll(all.stream().map(Orphans::name).toList());
            for (Orphans orphans : all) {
                if (now - orphanedSince.computeIfAbsent(orphans.name(), unused -> now) >= GRACE_NANOS) {
                    ending.add(orphans);
                }
            }
        }
        return AsyncUtil.whenAll(ending.stream()
                .map(orphans -> {
                    LOG.warn("no worker can run queued futures {} reason={}", orphans.name(), orphans.reason());
                    return end(orphans.entries());
                })
                .toList());
    }

    private CompletableFuture<Void> end(Range entries) {
        return store.run(futures -> futures.transaction()
                        .snapshot()
                        .getRange(entries, PAGE, false, StreamingMode.WANT_ALL)
                        .asList()
                        .thenCompose(found -> endPage(futures, found).thenApply(unused -> found)))
                .thenCompose(found -> found.size() < PAGE
                        ? CompletableFuture.completedFuture(null)
                        : end(new Range(ByteArrayUtil.join(found.getLast().getKey(), new byte[] {0}), entries.end)));
    }

    private CompletableFuture<Void> endPage(FutureTransaction futures, List<KeyValue> found) {
        List<FutureId> ids =
                found.stream().map(pair -> Ids.read(pair.getValue(), 0)).toList();
        return futures.loadAll(ids)
                .thenCombine(members.all(futures.transaction().snapshot()), (loaded, all) -> loaded.stream()
                        .filter(future -> forsake(futures, future, all))
                        .toList())
                .thenCompose(ended -> dependents.release(futures, ended))
                .thenCompose(unused -> idleSeats.wake(futures));
    }

    /** Ends a future that none of the members can run, and that does not wait for others; whether it was one. */
    private boolean forsake(FutureTransaction futures, LoadedFuture future, List<Member> all) {
        boolean queued = future.state() == State.STATE_QUEUED || future.state() == State.STATE_ASSIGNED;
        if (!queued || SchedulingSpecs.requirements(future.record()).getWaitForCapacity()) {
            return false;
        }
        Optional<String> reason = Demand.of(future.record()).problem(all);
        reason.ifPresent(told -> {
            future.apply(Event.FORSAKE);
            future.change()
                    .setFailure(Failures.of(
                            FailureKind.FAILURE_KIND_IMPOSSIBLE, "dev.ratchet.client.InvalidInputException", told, ""));
            recorder.done(futures, future);
        });
        return reason.isPresent();
    }
}
