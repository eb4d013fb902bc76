/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The latest futures that this program could not submit, and why. The cluster refuses what takes one of them as it
 * refuses any unknown upstream, but the reason that a program has to see is that of the first failure: one who was not
 * let in for a moment has not made a mistake in every future that came behind. Safe for use by several threads.
 */
final class FailedSubmits {

    /** More than a program has on its way at once in all but extreme cases; the oldest are forgotten. */
    private static final int LATEST = 10_000;

    private final Map<FutureId, Throwable> failures = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<FutureId, Throwable> eldest) {
            return size() > LATEST;
        }
    };

    /** Notes that a future or block could not be submitted. */
    synchronized void add(FutureId id, Throwable failure) {
        failures.put(id, failure);
    }

    /** Notes that one was submitted after all, as a future whose id follows from its key may be. */
    synchronized void remove(FutureId id) {
        if (!failures.isEmpty()) {
            failures.remove(id);
        }
    }

    /**
     * Notes that the cluster has refused one, and gives what the program gets: of the kind that its upstream has got,
     * if it is for that. Of a chain each has the reason of the first, and not one in the other.
     */
    synchronized RuntimeException refused(Pending pending, String refusal) {
        String told = "The future " + pending.id() + " was refused: " + refusal;
        Optional<Throwable> first = pending.future().getUpstreamsList().stream()
                .map(Ids::of)
                .filter(upstream -> refusal.contains(upstream.toString()))
                .flatMap(upstream -> failure(upstream).stream())
                .findFirst();
        RuntimeException reason =
                first.map(cause -> behind(told, cause)).orElseGet(() -> new InvalidInputException(told));
        add(pending.id(), first.orElse(reason));
        return reason;
    }

    private static RuntimeException behind(String told, Throwable first) {
        String message = told + " This program could not submit it: " + first.getMessage();
        return first instanceof ConnectionException
                ? new ConnectionException(message, first)
                : new InvalidInputException(message, first);
    }

    private synchronized Optional<Throwable> failure(FutureId upstream) {
        return Optional.ofNullable(failures.get(upstream))
                .or(() -> Optional.ofNullable(failures.get(BlockIds.sentAs(upstream))));
    }
}
