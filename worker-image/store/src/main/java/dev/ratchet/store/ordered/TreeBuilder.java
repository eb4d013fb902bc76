/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import dev.ratchet.store.ordered.OrderedTree.Weigher;
import dev.ratchet.store.ordered.TreeNode.Inner;
import dev.ratchet.store.ordered.TreeNode.Leaf;
import dev.ratchet.store.ordered.TreeNode.Resident;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a tree from entries in ascending order, each once, in linear time. For one thread at a time. */
public final class TreeBuilder<V> {

    /** Leaves room in each node for a few insertions before it splits. */
    private static final int FILL = 26;

    private final Weigher<V> weigher;
    private final Object owner = new Object();
    private List<Resident> level = new ArrayList<>();
    private @Nullable Leaf leaf;
    private byte @Nullable [] last;

    /** An empty one. */
    public TreeBuilder(Weigher<V> weigher) {
        this.weigher = weigher;
    }

    /**
     * Adds the next entry.
     *
     * @throws IllegalArgumentException if its key does not come after the one before
     */
    public void add(byte[] key, V value) {
        if (last != null && Arrays.compareUnsigned(last, key) >= 0) {
            throw new IllegalArgumentException("keys must ascend, and one is not after the one before it");
        }
        last = key;
        Leaf current = leaf;
        if (current == null || current.count == FILL) {
            current = new Leaf(owner);
            leaf = current;
            level.add(current);
        }
        current.append(key, value);
        current.weight += weigher.weigh(key, value);
    }

    /** The tree with all entries. To be called once. */
    public OrderedTree<V> build() {
        if (level.isEmpty()) {
            return OrderedTree.empty(weigher);
        }
        while (level.size() > 1) {
            List<Resident> parents = new ArrayList<>();
            for (int from = 0; from < level.size(); from += FILL) {
                int count = Math.min(FILL, level.size() - from);
                Inner parent = new Inner(owner);
                for (int i = 0; i < count; i++) {
                    Resident child = level.get(from + i);
                    parent.append(child.firstKey(), child);
                    parent.weight += child.weight;
                }
                parents.add(parent);
            }
            level = parents;
        }
        return new OrderedTree<>(level.getFirst(), weigher);
    }
}
