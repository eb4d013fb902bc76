/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import java.util.Arrays;
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

    final @Nullable Node root;
    private final Weigher<V> weigher;

    /** What an entry counts for. */
    @FunctionalInterface
    public interface Weigher<V> {
        /** Weight of one entry, the same whenever it is asked. */
        long weigh(byte[] key, V value);
    }

    OrderedTree(@Nullable Node root, Weigher<V> weigher) {
        this.root = root;
        this.weigher = weigher;
    }

    /** A tree without entries. */
    public static <V> OrderedTree<V> empty(Weigher<V> weigher) {
        return new OrderedTree<>(null, weigher);
    }

    /** Whether there is no entry. */
    public boolean isEmpty() {
        return root == null;
    }

    /** Sum of the weights of all entries. */
    public long weight() {
        return root == null ? 0 : root.weight;
    }

    /** The value of {@code key}, or null. */
    @SuppressWarnings("unchecked") // leaves hold what an editor of V put there
    public @Nullable V get(byte[] key) {
        Node node = root;
        if (node == null) {
            return null;
        }
        while (node instanceof Inner inner) {
            node = inner.child(inner.childOf(key));
        }
        Leaf leaf = (Leaf) node;
        int index = leaf.indexOf(key);
        return index < 0 ? null : (V) leaf.values[index];
    }

    /** A cursor that stands nowhere yet. */
    public TreeCursor<V> cursor() {
        return new TreeCursor<>(root);
    }

    /** Makes changes, of which this tree sees nothing. */
    public TreeEditor<V> edit() {
        return new TreeEditor<>(root, weigher);
    }

    /** Sum of the weights of the entries before {@code key}. */
    @SuppressWarnings("unchecked") // as in get
    public long weightBefore(byte[] key) {
        long weight = 0;
        Node node = root;
        if (node == null) {
            return 0;
        }
        while (node instanceof Inner inner) {
            int index = inner.childOf(key);
            for (int i = 0; i < index; i++) {
                weight += inner.children[i].weight;
            }
            node = inner.child(index);
        }
        Leaf leaf = (Leaf) node;
        int index = leaf.indexOf(key);
        int before = index < 0 ? -index - 1 : index;
        for (int i = 0; i < before; i++) {
            weight += weigher.weigh(leaf.keys[i], (V) leaf.values[i]);
        }
        return weight;
    }

    /** The first key at which the weight of all before it and of itself is above {@code weight}; null past the end. */
    @SuppressWarnings("unchecked") // as in get
    public byte @Nullable [] keyAtWeight(long weight) {
        Node node = root;
        if (node == null || weight >= node.weight) {
            return null;
        }
        long left = weight;
        while (node instanceof Inner inner) {
            int index = 0;
            while (left >= inner.children[index].weight) {
                left -= inner.children[index].weight;
                index++;
            }
            node = inner.child(index);
        }
        Leaf leaf = (Leaf) node;
        for (int i = 0; i < leaf.count; i++) {
            left -= weigher.weigh(leaf.keys[i], (V) leaf.values[i]);
            if (left < 0) {
                return leaf.keys[i];
            }
        }
        throw new IllegalStateException("weights of a tree do not add up; this is a bug");
    }

    /** A node, changed only by the editor that owns it; without an owner, by nobody. */
    abstract static sealed class Node permits Leaf, Inner, Resting {
        @Nullable
        Object owner;

        /** What stands for this node once it has been written; null while it is in memory alone. */
        @Nullable
        Resting resting;

        int count;
        long weight;

        abstract byte[] firstKey();
    }

    /** Entries. The array of keys is shared between copies until a key comes or goes. */
    static final class Leaf extends Node {
        static final int MAX = 32;
        /** A leaf of larger values holds fewer of them, since it is written as a whole. */
        static final long WEIGHT_MAX = 32 << 10;

        byte[][] keys;
        Object[] values;
        boolean ownsKeys;

        Leaf(Object owner, byte[][] keys, Object[] values, int count, boolean ownsKeys) {
            this.owner = owner;
            this.keys = keys;
            this.values = values;
            this.count = count;
            this.ownsKeys = ownsKeys;
        }

        /** Index of the key, or {@code -(insertion point) - 1}. */
        int indexOf(byte[] key) {
            int low = 0;
            int high = count - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int order = Arrays.compareUnsigned(keys[middle], key);
                if (order == 0) {
                    return middle;
                }
                if (order < 0) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return -low - 1;
        }

        @Override
        byte[] firstKey() {
            return keys[0];
        }
    }

    /** Children in order; {@code keys[i]} is no greater than any key of child i and greater than all before. */
    static final class Inner extends Node {
        static final int MAX = 32;
        byte[][] keys;
        Node[] children;

        Inner(Object owner, byte[][] keys, Node[] children, int count) {
            this.owner = owner;
            this.keys = keys;
            this.children = children;
            this.count = count;
        }

        /** A child, brought to memory where it rests. */
        Node child(int index) {
            Node child = children[index];
            return child instanceof Resting resting ? resting.node() : child;
        }

        /** The child that holds the key if any does. */
        int childOf(byte[] key) {
            int low = 1;
            int high = count - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                if (Arrays.compareUnsigned(keys[middle], key) <= 0) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return low - 1;
        }

        @Override
        byte[] firstKey() {
            return keys[0];
        }
    }
}
