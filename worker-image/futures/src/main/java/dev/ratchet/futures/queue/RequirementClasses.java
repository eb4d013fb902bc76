/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.Treatments;
import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the ids of requirement classes mean. An id is a hash of the requirements, so it never changes its meaning and
 * may be kept; whoever queues something of a class writes it down in the same transaction. Safe for use by several
 * threads.
 */
public final class RequirementClasses {

    /** Classes that are remembered; beyond, all are forgotten and read again. */
    private static final int KNOWN_MAX = 10_000;

    private final FutureKeys keys;
    private final Map<String, Requirements> known = new ConcurrentHashMap<>();

    public RequirementClasses(FutureKeys keys) {
        this.keys = keys;
        known.put(Treatments.DEFAULT_CLASS, Treatments.DEFAULT_REQUIREMENTS);
    }

    /** Writes a class down; its id. */
    public static String define(Transaction transaction, FutureKeys keys, Requirements requirements) {
        String id = Treatments.requirementClass(requirements);
        if (!id.equals(Treatments.DEFAULT_CLASS)) {
            transaction.set(keys.requirements.key(id), keys.requirements.encode(Treatments.amounts(requirements)));
        }
        return id;
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
                known.keySet().removeIf(other -> !other.equals(Treatments.DEFAULT_CLASS));
            }
            known.put(id, found);
            return Optional.of(found);
        });
    }
}
