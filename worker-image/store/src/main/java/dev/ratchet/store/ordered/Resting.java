/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import dev.ratchet.store.ordered.TreeNode.Resident;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a tree for a node that is on a page. What it stands for never changes; where that lies may, when its file
 * is cleaned, and whether it is in memory too is the business of {@link NodeCache}.
 */
final class Resting extends TreeNode {

    private final NodeCache cache;
    private volatile Place place;
    /** The page with all entries that the one at {@code place} adds to, or that one itself; null while not known. */
    private volatile @Nullable Place base;

    private volatile @Nullable Resident loaded;
    /** Whether it was asked for since the cache looked last. A hint: races lose nothing but the order of eviction. */
    boolean touched;
    /** What the cache counts for it; 0 while it does not. Guarded by the cache. */
    int countedBytes;

    Resting(NodeCache cache, Place place, long weight) {
        this.cache = cache;
        this.place = place;
        this.weight = weight;
    }

    /** The node, from memory or from its page. */
    Resident node() {
        Resident present = loaded;
        if (present == null) {
            return cache.load(this);
        }
        if (!touched) {
            touched = true;
        }
        return present;
    }

    /**
     * The node, which is in memory.
     *
     * @throws PageAbsentException if it is not
     */
    Resident inMemory() {
        Resident present = loaded;
        if (present == null) {
            throw new PageAbsentException();
        }
        if (!touched) {
            touched = true;
        }
        return present;
    }

    Place place() {
        return place;
    }

    /** The same content lies elsewhere from now on, as a whole. */
    void moveTo(Place elsewhere) {
        place = elsewhere;
        base = elsewhere;
    }

    @Nullable
    Place base() {
        return base;
    }

    void baseIs(Place known) {
        base = known;
    }

    /** Whether all entries of a leaf are known to be on one page. */
    boolean isWhole() {
        return place.equals(base);
    }

    @Nullable
    Resident loaded() {
        return loaded;
    }

    void keep(Resident node) {
        loaded = node;
    }

    void drop() {
        loaded = null;
    }

    @Override
    byte[] firstKey() {
        return node().firstKey();
    }
}
