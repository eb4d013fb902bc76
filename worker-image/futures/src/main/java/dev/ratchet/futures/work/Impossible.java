/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.IdleSeats;
import dev.ratchet.futures.record.Failures;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.record.Treatments;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds futures that no worker is large enough for, and ends those that do not wait for one: at submit at once, by the
 * members at one version; later, when workers have gone, only after the class has had no worker for a while, because
 * most that go come back.
 */
final class Impossible {

    private static final Logger LOG = LoggerFactory.getLogger(Impossible.class);

    /** How long a class may be without a worker. */
    private static final long GRACE_NANOS = 60_000_000_000L;

    /** Classes looked at in one sweep. */
    private static final int CLASSES_MAX = 256;

    /** Futures ended by one transaction. */
    private static final int PAGE = 100;

    private final FutureStore store;
    private final Members members;
    private final Recorder recorder;
    private final Dependents dependents;
    private final IdleSeats idleSeats;
    private final Map<String, Long> orphanedSince = new HashMap<>();

    Impossible(FutureStore store, Members members, Recorder recorder, Dependents dependents) {
        this.store = store;
        this.members = members;
        this.recorder = recorder;
        this.dependents = dependents;
        this.idleSeats = new IdleSeats(store.keys(), store.environment().random());
    }

    /** Those of the requirements that none of the members meets, with the reasons. */
    static Map<Requirements, String> among(Collection<Requirements> asked, List<Member> all) {
        List<Capacity> present = all.stream()
                .filter(member -> member.isPresent() && !member.ended())
                .map(Capacity::of)
                .toList();
        Map<Requirements, String> impossible = new HashMap<>();
        for (Requirements requirements : asked) {
            if (present.stream().noneMatch(capacity -> capacity.fits(requirements))) {
                impossible.put(requirements, reason(requirements, present));
            }
        }
        return impossible;
    }

    private static String reason(Requirements requirements, List<Capacity> present) {
        long cpuMillis = present.stream().mapToLong(Capacity::cpuMillis).max().orElse(0);
        long memory = present.stream().mapToLong(Capacity::memoryBytes).max().orElse(0);
        long gpuMillis = present.stream().mapToLong(Capacity::gpuMillis).max().orElse(0);
        return "None of " + present.size() + " workers is large enough: required cpuMillis="
                + requirements.getCpuMillis() + " memoryBytes=" + requirements.getMemoryBytes() + " gpuMillis="
                + requirements.getGpuMillis() + " custom=" + new TreeMap<>(requirements.getCustomMap())
                + ", the most of each on one worker is cpuMillis=" + cpuMillis + " memoryBytes=" + memory
                + " gpuMillis=" + gpuMillis + ". Ask for less, add larger workers, or submit it waiting for capacity.";
    }

    /** Looks at all classes that have something queued. */
    CompletableFuture<Void> sweep() {
        return store.read(transaction -> classes(transaction, store.keys().queue.range().begin, new ArrayList<>())
                        .thenCompose(ids -> orphans(transaction, ids)))
                .thenCompose(this::endOrphans);
    }

    private CompletableFuture<List<String>> classes(ReadTransaction transaction, byte[] from, List<String> ids) {
        FutureKeys keys = store.keys();
        Range rest = new Range(from, keys.queue.range().end);
        return transaction.getRange(rest, 1).asList().thenCompose(first -> {
            if (first.isEmpty() || ids.size() >= CLASSES_MAX) {
                return CompletableFuture.completedFuture(ids);
            }
            String id = keys.queue.elements(first.get(0).getKey()).getString(0);
            ids.add(id);
            return classes(transaction, keys.queue.range(id).end, ids);
        });
    }

    /** Classes without a worker, with the reasons. */
    private CompletableFuture<Map<String, String>> orphans(ReadTransaction transaction, List<String> ids) {
        FutureKeys keys = store.keys();
        Map<String, CompletableFuture<byte[]>> reads = new HashMap<>();
        ids.stream()
                .filter(id -> !id.equals(Treatments.DEFAULT_CLASS))
                .forEach(id -> reads.put(id, transaction.get(keys.requirements.key(id))));
        if (reads.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                .thenCompose(unused -> members.all(transaction))
                .thenApply(all -> {
                    Map<String, String> orphans = new HashMap<>();
                    reads.forEach((id, read) -> {
                        Requirements required = keys.requirements.decodeOrNull(read.join());
                        if (required != null) {
                            among(List.of(required), all).forEach((some, reason) -> orphans.put(id, reason));
                        }
                    });
                    return orphans;
                });
    }

    private CompletableFuture<Void> endOrphans(Map<String, String> orphans) {
        long now = store.environment().nanoTime();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        synchronized (orphanedSince) {
            orphanedSince.keySet().retainAll(orphans.keySet());
            orphans.forEach((id, reason) -> {
                long since = orphanedSince.computeIfAbsent(id, unused -> now);
                if (now - since >= GRACE_NANOS) {
                    LOG.warn("nobody is large enough for queued futures class={} reason={}", id, reason);
                    ends.add(end(id, reason, store.keys().queue.range(id).begin));
                }
            });
        }
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> end(String id, String reason, byte[] from) {
        Range rest = new Range(from, store.keys().queue.range(id).end);
        return store.run(futures -> futures.transaction()
                        .snapshot()
                        .getRange(rest, PAGE, false, StreamingMode.WANT_ALL)
                        .asList()
                        .thenCompose(found -> endPage(futures, found, reason).thenApply(unused -> found)))
                .thenCompose(found -> found.size() < PAGE
                        ? CompletableFuture.completedFuture(null)
                        : end(
                                id,
                                reason,
                                ByteArrayUtil.join(found.get(found.size() - 1).getKey(), new byte[] {0})));
    }

    private CompletableFuture<Void> endPage(FutureTransaction futures, List<KeyValue> found, String reason) {
        List<FutureId> ids =
                found.stream().map(pair -> Ids.read(pair.getValue(), 0)).toList();
        return futures.loadAll(ids).thenCompose(loaded -> {
            List<LoadedFuture> ended = new ArrayList<>();
            for (LoadedFuture future : loaded) {
                if (future.state() == State.STATE_QUEUED
                        && !Treatments.requirements(future.record()).getWaitForCapacity()) {
                    future.apply(Event.FORSAKE);
                    future.change()
                            .setFailure(Failures.of(
                                    FailureKind.FAILURE_KIND_IMPOSSIBLE,
                                    "dev.ratchet.client.InvalidInputException",
                                    reason,
                                    ""));
                    recorder.done(futures, future);
                    ended.add(future);
                }
            }
            return dependents.release(futures, ended).thenCompose(unused -> idleSeats.wake(futures));
        });
    }
}
