/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Owns what the coordinator is asked for. These are wishes as a whole, repeated until a report shows that they are
 * fulfilled, so a lost answer or a new coordinator needs no special care.
 *
 * @param draining seats that people want to take no new work
 * @param outgoing seats that the upgrade under way replaces, and that are to get no state of others any more
 * @param parking seats whose process is about to be replaced by one that finds its files, and the incarnation that is
 *     to park for it
 */
public record Commands(
        Optional<Commit> commit,
        Optional<Raise> raise,
        Set<String> draining,
        Set<String> outgoing,
        Map<String, Long> parking,
        long drainTimeoutMillis) {
    /** Put {@code epoch} into force if {@code fromEpoch} is. */
    public record Commit(long fromEpoch, long epoch, String digest, Set<String> seats) {
        public Commit {
            seats = Set.copyOf(new TreeSet<>(seats));
        }
    }

    /** Raise the recorded formats of that store to {@code level}, if every worker reads it. */
    public record Raise(String storeId, int level) {}

    public static final Commands NONE =
            new Commands(Optional.empty(), Optional.empty(), Set.of(), Set.of(), Map.of(), 0);

    public Commands {
        draining = Set.copyOf(draining);
        outgoing = Set.copyOf(outgoing);
        parking = Map.copyOf(parking);
    }

    /** These without the commit, which must wait until what it relies on is written. */
    public Commands withoutCommit() {
        return new Commands(Optional.empty(), raise, draining, outgoing, parking, drainTimeoutMillis);
    }
}
