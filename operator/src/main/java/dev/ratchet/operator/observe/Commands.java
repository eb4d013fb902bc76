/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Owns what the coordinator is asked for. These are wishes as a whole, repeated until a statement shows that they are
 * fulfilled, so a lost answer or a new coordinator needs no special care.
 *
 * @param draining seats that people want to take no new work
 */
public record Commands(Optional<Commit> commit, Optional<Raise> raise, Set<String> draining, long drainTimeoutMillis) {
    /** Put {@code epoch} into force if {@code fromEpoch} is. */
    public record Commit(long fromEpoch, long epoch, String digest, Set<String> seats) {
        public Commit {
            seats = Set.copyOf(new TreeSet<>(seats));
        }
    }

    /** Raise the recorded formats of that store to {@code level}, if every worker reads it. */
    public record Raise(String storeId, int level) {}

    public static final Commands NONE = new Commands(Optional.empty(), Optional.empty(), Set.of(), 0);

    public Commands {
        draining = Set.copyOf(draining);
    }

    /** These without the commit, which must wait until what it relies on is written. */
    public Commands withoutCommit() {
        return new Commands(Optional.empty(), raise, draining, drainTimeoutMillis);
    }
}
