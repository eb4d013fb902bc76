/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the ids of requirement classes mean. An id is a hash of the requirements, so it never changes its meaning and
 * may be kept; whoever queues something of a class writes it down in the same transaction, and what nothing is queued
 * of is forgotten. Safe for use by several threads.
 */
public final class RequirementClasses {

    /** Classes that are remembered; beyond, all are forgotten and read again. */
    private static final int KNOWN_MAX = 10_000;

    /** Classes read at once. */
    private static final int ALL_MAX = 20_000;

    /** Classes looked at by one transaction of those that forget. */
    private static final int PAGE = 200;

    private final FutureKeys keys;
    private final Map<String, Requirements> known = new ConcurrentHashMap<>();

    public RequirementClasses(FutureKeys keys) {
        this.keys = keys;
        known.put(SchedulingSpecs.DEFAULT_CLASS, SchedulingSpecs.DEFAULT_REQUIREMENTS);
    }

    /** All classes that are written down, in their order, and the default one; at most {@value #ALL_MAX}. */
    public CompletableFuture<NavigableMap<String, Requirements>> all(ReadTransaction transaction) {
        return transaction
                .getRange(keys.requirements.range(), ALL_MAX, false, StreamingMode.WANT_ALL)
                .asList()
                .thenApply(found -> {
                    NavigableMap<String, Requirements> all = new TreeMap<>();
                    all.put(SchedulingSpecs.DEFAULT_CLASS, SchedulingSpecs.DEFAULT_REQUIREMENTS);
                    found.forEach(pair -> all.put(
                            keys.requirements.elements(pair.getKey()).getString(0),
                            keys.requirements.decode(pair.getValue())));
                    return all;
                });
    }

    /**
     * Forgets those of these classes of which nothing is queued, a page at a time; whoever queues something meanwhile
     * conflicts.
     */
    public CompletableFuture<Void> tidy(FutureStore store, List<String> ids) {
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<String> page = ids.subList(0, Math.min(PAGE, ids.size()));
        return store.read(transaction -> unused(transaction, page))
                .thenCompose(unused -> unused.isEmpty()
                        ? CompletableFuture.completedFuture(unused)
                        : store.runPlain(
                                transaction -> unused(transaction, unused).thenApply(still -> {
                                    still.forEach(id -> transaction.clear(keys.requirements.key(id)));
                                    return still;
                                })))
                .thenCompose(cleared -> tidy(store, ids.subList(page.size(), ids.size())));
    }

    private CompletableFuture<List<String>> unused(ReadTransaction transaction, List<String> ids) {
        Map<String, CompletableFuture<List<KeyValue>>> reads = new LinkedHashMap<>();
        ids.forEach(id ->
                reads.put(id, transaction.getRange(keys.queue.range(id), 1).asList()));
        return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                .thenApply(unused -> reads.entrySet().stream()
                        .filter(read -> read.getValue().join().isEmpty())
                        .map(Map.Entry::getKey)
                        .toList());
    }

    /** What a class requires; empty if nobody has written it down. Pass a snapshot. */
    CompletableFuture<Optional<Requirements>> requirements(ReadTransaction transaction, String id) {
        Requirements remembered = known.get(id);
        if (remembered != null) {
            return CompletableFuture.completedFuture(Optional.of(remembered));
        }
        return transaction.get(keys.requirements.key(id)).thenApply(value -> {
            Requirements found = keys.requirements.decodeOrNull(value);
            if (found == null) {
                return Optional.empty();
            }
            if (known.size() >= KNOWN_MAX) {
                known.keySet().removeIf(other -> !other.equals(SchedulingSpecs.DEFAULT_CLASS));
            }
            known.put(id, found);
            return Optional.of(found);
        });
    }
}
