/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

/**
 * How much a seat holds that must not vanish with it, counted by kind.
 *
 * @param futures claimed futures that are not recorded as done
 * @param objects results of which no other copy is known
 * @param actors live actors
 * @param sessions open sessions
 * @param shards shards of circuits
 */
public record Inventory(long futures, long objects, long actors, long sessions, long shards) {

    /** Nothing. */
    public static final Inventory NONE = new Inventory(0, 0, 0, 0, 0);

    public Inventory withFutures(long count) {
        return new Inventory(count, objects, actors, sessions, shards);
    }

    public Inventory withObjects(long count) {
        return new Inventory(futures, count, actors, sessions, shards);
    }

    public Inventory withActors(long count) {
        return new Inventory(futures, objects, count, sessions, shards);
    }

    public Inventory withSessions(long count) {
        return new Inventory(futures, objects, actors, count, shards);
    }

    public Inventory withShards(long count) {
        return new Inventory(futures, objects, actors, sessions, count);
    }

    public boolean isNothing() {
        return equals(NONE);
    }
}
