/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the ids of requirement classes mean. An id is a hash of the requirements, so it never changes its meaning and
 * may be kept; whoever queues something of a class writes it down in the same transaction, and what nothing is queued
 * of is forgotten. Safe for use by several threads.
 */
public final class RequirementClasses {

    /** Classes that are remembered; beyond, all are forgotten and read again. */
    private static final int KNOWN_MAX = 10_000;

    /** Classes read at once. */
    private static final int PAGE = 2_000;

    private final FutureKeys keys;
    private final Map<String, Requirements> known = new ConcurrentHashMap<>();

    public RequirementClasses(FutureKeys keys) {
        this.keys = keys;
        known.put(SchedulingSpecs.DEFAULT_CLASS, SchedulingSpecs.DEFAULT_REQUIREMENTS);
    }

    /**
     * Some of the classes that are written down.
     *
     * @param next where the following ones begin; null at the end
     */
    public record Page(Map<String, Requirements> classes, byte @Nullable [] next) {}

    /** Where they begin. */
    public byte[] begin() {
        return keys.requirements.range().begin;
    }

    /** Some of the classes that are written down, from here on, without the default one. */
    public CompletableFuture<Page> page(ReadTransaction transaction, byte[] from) {
        return transaction
                .getRange(from, keys.requirements.range().end, PAGE, false, StreamingMode.WANT_ALL)
                .asList()
                .thenApply(found -> {
                    Map<String, Requirements> classes = new LinkedHashMap<>();
                    found.forEach(pair -> classes.put(
                            keys.requirements.elements(pair.getKey()).getString(0),
                            keys.requirements.decode(pair.getValue())));
                    classes.remove(SchedulingSpecs.DEFAULT_CLASS);
                    return new Page(
                            classes,
                            found.size() < PAGE
                                    ? null
                                    : ByteArrayUtil.keyAfter(found.getLast().getKey()));
                });
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
