/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import dev.ratchet.store.ordered.OrderedTree.Inner;
import dev.ratchet.store.ordered.OrderedTree.Leaf;
import dev.ratchet.store.ordered.OrderedTree.Node;
import dev.ratchet.store.ordered.OrderedTree.Weigher;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new tree out of an old one. Nodes it has copied or made are its own and changed in place until the next
 * {@link #freeze}, so that a batch of changes copies each node once at most. For one thread at a time.
 */
public final class TreeEditor<V> {

    private static final int FEW = 8;
    private static final int LEAF_COPY_BYTES = 200;
    private static final int INNER_COPY_BYTES = 330;

    private final Weigher<V> weigher;
    private @Nullable Node root;
    private Object owner = new Object();
    private @Nullable Node split;
    private @Nullable V displaced;
    private long copiedBytes;
    private long dirtiedBytes;
    private volatile long frozenDirtiedBytes;

    TreeEditor(@Nullable Node root, Weigher<V> weigher) {
        this.root = root;
        this.weigher = weigher;
    }

    /** The tree as it is now; later changes do not touch it. */
    public OrderedTree<V> freeze() {
        owner = new Object();
        frozenDirtiedBytes = dirtiedBytes;
        return new OrderedTree<>(root, weigher);
    }

    /**
     * About how many bytes of memory hold nodes that were on a page before, or new entries, since this editor began and
     * up to the last freeze. Any thread may ask.
     */
    public long dirtiedBytes() {
        return frozenDirtiedBytes;
    }

    /** The value of {@code key} now, or null. */
    public @Nullable V get(byte[] key) {
        return new OrderedTree<>(root, weigher).get(key);
    }

    /** Sum of the weights of all entries now. */
    public long weight() {
        Node top = root;
        return top == null ? 0 : top.weight;
    }

    /** A cursor over what is there now; void after the next change. */
    public TreeCursor<V> cursor() {
        return new TreeCursor<>(root);
    }

    /** About how many bytes of nodes have been copied since this was asked last: what keeping the old tree costs. */
    public long takeCopiedBytes() {
        long bytes = copiedBytes;
        copiedBytes = 0;
        return bytes;
    }

    /** Sets the value of a key and returns the one before, or null. */
    public @Nullable V put(byte[] key, V value) {
        displaced = null;
        Node top = root;
        if (top == null) {
            Leaf leaf = new Leaf(owner, new byte[Leaf.MAX][], new Object[Leaf.MAX], 0, true);
            root = putInLeaf(leaf, key, value);
            return null;
        }
        Node changed = put(top, key, value);
        root = changed;
        Node right = split;
        if (right != null) {
            split = null;
            Inner grown = new Inner(owner, new byte[Inner.MAX][], new Node[Inner.MAX], 2);
            grown.keys[0] = changed.firstKey();
            grown.keys[1] = right.firstKey();
            grown.children[0] = changed;
            grown.children[1] = right;
            grown.weight = changed.weight + right.weight;
            root = grown;
        }
        return displaced;
    }

    /** Removes a key and returns its value, or null if it was not there. */
    public @Nullable V remove(byte[] key) {
        Node top = root;
        V value = top == null ? null : get(key);
        if (top == null || value == null) {
            return null;
        }
        root = collapse(removeRange(top, key, Arrays.copyOf(key, key.length + 1)));
        return value;
    }

    /** Removes all keys from {@code begin} to {@code end}, exclusive. Costs what is at the two edges. */
    public void removeRange(byte[] begin, byte[] end) {
        Node top = root;
        if (top != null && Arrays.compareUnsigned(begin, end) < 0) {
            root = collapse(removeRange(top, begin, end));
        }
    }

    private static @Nullable Node collapse(@Nullable Node node) {
        Node top = node;
        while (top instanceof Inner inner && inner.count == 1) {
            top = inner.child(0);
        }
        return top;
    }

    private Node put(Node node, byte[] key, V value) {
        if (node instanceof Leaf leaf) {
            return putInLeaf(leaf, key, value);
        }
        Inner inner = own((Inner) node);
        int index = inner.childOf(key);
        Node before = inner.child(index);
        long weightBefore = before.weight;
        Node after = put(before, key, value);
        inner.children[index] = after;
        if (index == 0 && Arrays.compareUnsigned(key, inner.keys[0]) < 0) {
            inner.keys[0] = key;
        }
        Node right = split;
        inner.weight += after.weight - weightBefore;
        if (right != null) {
            split = null;
            inner.weight += right.weight;
            insertChild(inner, index + 1, right);
        }
        return inner;
    }

    private void insertChild(Inner inner, int index, Node child) {
        if (inner.count < Inner.MAX) {
            System.arraycopy(inner.keys, index, inner.keys, index + 1, inner.count - index);
            System.arraycopy(inner.children, index, inner.children, index + 1, inner.count - index);
            inner.keys[index] = child.firstKey();
            inner.children[index] = child;
            inner.count++;
            return;
        }
        // At the right edge keys mostly ascend: leave the left node full.
        int keep = index == inner.count ? inner.count - 1 : inner.count / 2;
        Inner right = new Inner(owner, new byte[Inner.MAX][], new Node[Inner.MAX], inner.count - keep);
        System.arraycopy(inner.keys, keep, right.keys, 0, right.count);
        System.arraycopy(inner.children, keep, right.children, 0, right.count);
        Arrays.fill(inner.keys, keep, inner.count, null);
        Arrays.fill(inner.children, keep, inner.count, null);
        inner.count = keep;
        if (index <= keep) {
            insertChild(inner, index, child);
        } else {
            insertChild(right, index - keep, child);
        }
        sumWeights(inner);
        sumWeights(right);
        split = right;
    }

    private Leaf putInLeaf(Leaf source, byte[] key, V value) {
        int index = source.indexOf(key);
        if (index >= 0) {
            Leaf leaf = own(source);
            @SuppressWarnings("unchecked") // leaves hold what an editor of V put there
            V before = (V) leaf.values[index];
            displaced = before;
            leaf.weight += weigher.weigh(key, value) - weigher.weigh(key, before);
            leaf.values[index] = value;
            return leaf;
        }
        Leaf leaf = ownWithKeys(source);
        int at = -index - 1;
        if (leaf.count < Leaf.MAX && (leaf.weight < Leaf.WEIGHT_MAX || leaf.count < 2)) {
            insertEntry(leaf, at, key, value);
            return leaf;
        }
        int keep = at == leaf.count ? leaf.count : leaf.count / 2;
        Leaf right = new Leaf(owner, new byte[Leaf.MAX][], new Object[Leaf.MAX], leaf.count - keep, true);
        System.arraycopy(leaf.keys, keep, right.keys, 0, right.count);
        System.arraycopy(leaf.values, keep, right.values, 0, right.count);
        Arrays.fill(leaf.keys, keep, leaf.count, null);
        Arrays.fill(leaf.values, keep, leaf.count, null);
        leaf.count = keep;
        sumWeights(leaf);
        sumWeights(right);
        if (at < keep) {
            insertEntry(leaf, at, key, value);
        } else {
            insertEntry(right, at - keep, key, value);
        }
        split = right;
        return leaf;
    }

    private void insertEntry(Leaf leaf, int at, byte[] key, V value) {
        System.arraycopy(leaf.keys, at, leaf.keys, at + 1, leaf.count - at);
        System.arraycopy(leaf.values, at, leaf.values, at + 1, leaf.count - at);
        leaf.keys[at] = key;
        leaf.values[at] = value;
        leaf.count++;
        long weight = weigher.weigh(key, value);
        leaf.weight += weight;
        dirtiedBytes += weight + NodeCache.ENTRY_BYTES;
    }

    private @Nullable Node removeRange(Node node, byte[] begin, byte[] end) {
        if (node instanceof Leaf leaf) {
            int from = leaf.indexOf(begin);
            int to = leaf.indexOf(end);
            return removeEntries(leaf, from < 0 ? -from - 1 : from, to < 0 ? -to - 1 : to);
        }
        Inner source = (Inner) node;
        int first = source.childOf(begin);
        int last = source.childOf(end);
        Node firstBefore = source.child(first);
        Node lastBefore = source.child(last);
        long weightBefore = firstBefore.weight + lastBefore.weight;
        Node firstAfter = removeRange(firstBefore, begin, end);
        Node lastAfter = first == last ? firstAfter : removeRange(lastBefore, begin, end);
        boolean sameNodes = last - first <= 1 && firstAfter == firstBefore && lastAfter == lastBefore;
        if (sameNodes && firstBefore.weight + lastBefore.weight == weightBefore) {
            return source;
        }
        Inner inner = own(source);
        int write = first;
        if (firstAfter != null) {
            inner.children[write++] = firstAfter;
        }
        if (first != last && lastAfter != null) {
            inner.keys[write] = write == first ? inner.keys[first] : inner.keys[last];
            inner.children[write++] = lastAfter;
        }
        for (int read = last + 1; read < inner.count; read++, write++) {
            inner.keys[write] = inner.keys[read];
            inner.children[write] = inner.children[read];
        }
        Arrays.fill(inner.keys, write, inner.count, null);
        Arrays.fill(inner.children, write, inner.count, null);
        inner.count = write;
        if (write == 0) {
            return null;
        }
        mergeSmall(inner, first);
        sumWeights(inner);
        return inner;
    }

    /** Joins the child at {@code index} with a neighbour where both are small leaves. */
    private void mergeSmall(Inner inner, int index) {
        int small = Math.min(index, inner.count - 1);
        if (inner.count < 2 || !(inner.child(small) instanceof Leaf leaf) || leaf.count >= FEW) {
            return;
        }
        int left = Math.max(0, small - 1);
        Leaf a = (Leaf) inner.child(left);
        Leaf b = (Leaf) inner.child(left + 1);
        if (a.count + b.count > Leaf.MAX / 2 || a.weight + b.weight > Leaf.WEIGHT_MAX) {
            return;
        }
        Leaf joined = ownWithKeys(a);
        System.arraycopy(b.keys, 0, joined.keys, joined.count, b.count);
        System.arraycopy(b.values, 0, joined.values, joined.count, b.count);
        joined.count += b.count;
        joined.weight += b.weight;
        inner.children[left] = joined;
        int rest = inner.count - left - 2;
        System.arraycopy(inner.keys, left + 2, inner.keys, left + 1, rest);
        System.arraycopy(inner.children, left + 2, inner.children, left + 1, rest);
        inner.count--;
        inner.keys[inner.count] = null;
        inner.children[inner.count] = null;
    }

    private @Nullable Leaf removeEntries(Leaf source, int from, int to) {
        if (from >= to) {
            return source;
        }
        if (to - from == source.count) {
            return null;
        }
        Leaf leaf = ownWithKeys(source);
        int rest = leaf.count - to;
        System.arraycopy(leaf.keys, to, leaf.keys, from, rest);
        System.arraycopy(leaf.values, to, leaf.values, from, rest);
        Arrays.fill(leaf.keys, from + rest, leaf.count, null);
        Arrays.fill(leaf.values, from + rest, leaf.count, null);
        leaf.count = from + rest;
        sumWeights(leaf);
        return leaf;
    }

    private Leaf own(Leaf leaf) {
        if (leaf.owner == owner) {
            return leaf;
        }
        if (leaf.resting != null) {
            dirtiedBytes += NodeCache.heapBytes(leaf);
        }
        Leaf copy = new Leaf(owner, leaf.keys, leaf.values.clone(), leaf.count, false);
        copy.weight = leaf.weight;
        copiedBytes += LEAF_COPY_BYTES;
        return copy;
    }

    private Leaf ownWithKeys(Leaf source) {
        Leaf leaf = own(source);
        if (!leaf.ownsKeys) {
            leaf.keys = leaf.keys.clone();
            leaf.ownsKeys = true;
        }
        return leaf;
    }

    private Inner own(Inner inner) {
        if (inner.owner == owner) {
            return inner;
        }
        if (inner.resting != null) {
            dirtiedBytes += NodeCache.heapBytes(inner);
        }
        Inner copy = new Inner(owner, inner.keys.clone(), inner.children.clone(), inner.count);
        copy.weight = inner.weight;
        copiedBytes += INNER_COPY_BYTES;
        return copy;
    }

    @SuppressWarnings("unchecked") // leaves hold what an editor of V put there
    private void sumWeights(Node node) {
        long weight = 0;
        for (int i = 0; i < node.count; i++) {
            weight += switch (node) {
                case Leaf leaf -> weigher.weigh(leaf.keys[i], (V) leaf.values[i]);
                case Inner inner -> inner.children[i].weight;
                case Resting resting -> throw new IllegalStateException("a resting node has no parts; this is a bug");
            };
        }
        node.weight = weight;
    }
}
