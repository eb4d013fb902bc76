/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import dev.ratchet.store.ordered.TreeNode.Inner;
import dev.ratchet.store.ordered.TreeNode.Leaf;
import dev.ratchet.store.ordered.TreeNode.Resident;
import org.jspecify.annotations.Nullable;

/**
 * An immutable ordered map from byte strings (compared as unsigned bytes) to values: a B+ tree whose changes copy the
 * path to what they change and share the rest. Keeping an old tree is keeping that version of the data: readers need no
 * lock, a snapshot for a backup is one reference, and dropping it is garbage collection.
 *
 * <p>Parts of a tree may rest on pages of a disk and come to memory when they are needed: see {@link PagedTrees}. A
 * read that meets a page which can not be read fails with {@link PageException}.
 *
 * <p>Each node knows the weight of what is below it, by which sizes of ranges are had in logarithmic time. Values are
 * never null. Safe for use by any threads.
 */
public final class OrderedTree<V> {

    final @Nullable Resident root;
    private final Weigher<V> weigher;
    private final boolean waits;

    /** What an entry counts for. */
    @FunctionalInterface
    public interface Weigher<V> {
        /** Weight of one entry, the same whenever it is asked. */
        long weigh(byte[] key, V value);
    }

    OrderedTree(@Nullable Resident root, Weigher<V> weigher) {
        this(root, weigher, true);
    }

    private OrderedTree(@Nullable Resident root, Weigher<V> weigher, boolean waits) {
        this.root = root;
        this.weigher = weigher;
        this.waits = waits;
    }

    /** The same tree for threads that must not wait for a disk: it fails with {@link PageAbsentException} instead. */
    public OrderedTree<V> inMemory() {
        return new OrderedTree<>(root, weigher, false);
    }

    private Resident child(Inner inner, int index) {
        return waits ? inner.load(index) : inner.inMemory(index);
    }

    /** A tree without entries. */
    public static <V> OrderedTree<V> empty(Weigher<V> weigher) {
        return new OrderedTree<>(null, weigher);
    }

    /** Sum of the weights of all entries. */
    public long weight() {
        return root == null ? 0 : root.weight;
    }

    /** The value of {@code key}, or null. */
    @SuppressWarnings("unchecked") // leaves hold what an editor of V put there
    public @Nullable V get(byte[] key) {
        Resident node = root;
        if (node == null) {
            return null;
        }
        while (node instanceof Inner inner) {
            node = child(inner, inner.childOf(key));
        }
        Leaf leaf = (Leaf) node;
        int index = leaf.indexOf(key);
        return index < 0 ? null : (V) leaf.slot(index);
    }

    /** A cursor that stands nowhere yet. */
    public TreeCursor<V> cursor() {
        return new TreeCursor<>(root, waits);
    }

    /** Makes changes, of which this tree sees nothing. */
    public TreeEditor<V> edit() {
        return new TreeEditor<>(root, weigher);
    }

    /** Sum of the weights of the entries before {@code key}. */
    @SuppressWarnings("unchecked") // as in get
    public long weightBefore(byte[] key) {
        long weight = 0;
        Resident node = root;
        if (node == null) {
            return 0;
        }
        while (node instanceof Inner inner) {
            int index = inner.childOf(key);
            for (int i = 0; i < index; i++) {
                weight += inner.child(i).weight;
            }
            node = child(inner, index);
        }
        Leaf leaf = (Leaf) node;
        int index = leaf.indexOf(key);
        int before = index < 0 ? -index - 1 : index;
        for (int i = 0; i < before; i++) {
            weight += weigher.weigh(leaf.keys[i], (V) leaf.slot(i));
        }
        return weight;
    }

    /** The first key at which the weight of all before it and of itself is above {@code weight}; null past the end. */
    @SuppressWarnings("unchecked") // as in get
    public byte @Nullable [] keyAtWeight(long weight) {
        Resident node = root;
        if (node == null || weight >= node.weight) {
            return null;
        }
        long left = weight;
        while (node instanceof Inner inner) {
            int index = 0;
            while (left >= inner.child(index).weight) {
                left -= inner.child(index).weight;
                index++;
            }
            node = child(inner, index);
        }
        Leaf leaf = (Leaf) node;
        for (int i = 0; i < leaf.count; i++) {
            left -= weigher.weigh(leaf.keys[i], (V) leaf.slot(i));
            if (left < 0) {
                return leaf.keys[i];
            }
        }
        throw new IllegalStateException("weights of a tree do not add up; this is a bug");
    }
}
