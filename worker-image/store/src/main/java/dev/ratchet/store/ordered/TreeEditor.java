/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import dev.ratchet.store.ordered.OrderedTree.Weigher;
import dev.ratchet.store.ordered.TreeNode.Inner;
import dev.ratchet.store.ordered.TreeNode.Leaf;
import dev.ratchet.store.ordered.TreeNode.Resident;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new tree out of an old one. Nodes it has copied or made are its own and changed in place until the next
 * {@link #freeze}, so that a batch of changes copies each node once at most. For one thread at a time.
 */
public final class TreeEditor<V> {

    private static final int FEW = 8;
    /** A node with its list of chunks, and one chunk. */
    private static final int COPY_BYTES = 130;
    /** What a change of keys copies besides. */
    private static final int KEYS_COPY_BYTES = 250;

    private final Weigher<V> weigher;
    private @Nullable Resident root;
    private Object owner = new Object();
    private @Nullable Resident split;
    private @Nullable V displaced;
    private long copiedBytes;
    private long dirtiedBytes;
    private volatile long frozenDirtiedBytes;

    TreeEditor(@Nullable Resident root, Weigher<V> weigher) {
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

    /** As {@link #dirtiedBytes}, up to now. */
    public long dirtiedBytesNow() {
        return dirtiedBytes;
    }

    /** Whether the node that {@code key} belongs to is in memory now, so that a change of it waits for no disk. */
    public boolean isInMemory(byte[] key) {
        try {
            new OrderedTree<>(root, weigher).inMemory().get(key);
            return true;
        } catch (PageAbsentException absent) {
            return false;
        }
    }

    /** The value of {@code key} now, or null. */
    public @Nullable V get(byte[] key) {
        return new OrderedTree<>(root, weigher).get(key);
    }

    /** Sum of the weights of all entries now. */
    public long weight() {
        Resident top = root;
        return top == null ? 0 : top.weight;
    }

    /** A cursor over what is there now; void after the next change. */
    public TreeCursor<V> cursor() {
        return new TreeCursor<>(root, true);
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
        Resident top = root;
        if (top == null) {
            Leaf leaf = new Leaf(owner);
            root = putInLeaf(leaf, key, value);
            return null;
        }
        Resident changed = put(top, key, value);
        root = changed;
        Resident right = split;
        if (right != null) {
            split = null;
            Inner grown = new Inner(owner);
            grown.append(changed.firstKey(), changed);
            grown.append(right.firstKey(), right);
            grown.weight = changed.weight + right.weight;
            root = grown;
        }
        return displaced;
    }

    /** Removes a key and returns its value, or null if it was not there. */
    public @Nullable V remove(byte[] key) {
        Resident top = root;
        V value = top == null ? null : get(key);
        if (top == null || value == null) {
            return null;
        }
        root = collapse(removeRange(top, key, Arrays.copyOf(key, key.length + 1)));
        return value;
    }

    /** Removes all keys from {@code begin} to {@code end}, exclusive. Costs what is at the two edges. */
    public void removeRange(byte[] begin, byte[] end) {
        Resident top = root;
        if (top != null && Arrays.compareUnsigned(begin, end) < 0) {
            root = collapse(removeRange(top, begin, end));
        }
    }

    private static @Nullable Resident collapse(@Nullable Resident node) {
        Resident top = node;
        while (top instanceof Inner inner && inner.count == 1) {
            top = inner.load(0);
        }
        return top;
    }

    private Resident put(Resident node, byte[] key, V value) {
        if (node instanceof Leaf leaf) {
            return putInLeaf(leaf, key, value);
        }
        Inner inner = own((Inner) node);
        int index = inner.childOf(key);
        Resident before = inner.load(index);
        long weightBefore = before.weight;
        Resident after = put(before, key, value);
        inner.setSlot(index, after);
        if (index == 0 && Arrays.compareUnsigned(key, inner.keys[0]) < 0) {
            inner.setKey(0, key);
        }
        Resident right = split;
        inner.weight += after.weight - weightBefore;
        if (right != null) {
            split = null;
            inner.weight += right.weight;
            insertChild(inner, index + 1, right);
        }
        return inner;
    }

    private void insertChild(Inner inner, int index, Resident child) {
        if (inner.count < Inner.MAX) {
            inner.insert(index, child.firstKey(), child);
            return;
        }
        // At the right edge keys mostly ascend: leave the left node full.
        int keep = index == inner.count ? inner.count - 1 : inner.count / 2;
        Inner right = new Inner(owner);
        inner.moveTail(keep, right);
        if (index <= keep) {
            inner.insert(index, child.firstKey(), child);
        } else {
            right.insert(index - keep, child.firstKey(), child);
        }
        sumWeights(inner);
        sumWeights(right);
        split = right;
    }

    private Leaf putInLeaf(Leaf source, byte[] key, V value) {
        int index = source.indexOf(key);
        Leaf leaf = own(source);
        if (index >= 0) {
            @SuppressWarnings("unchecked") // leaves hold what an editor of V put there
            V before = (V) leaf.slot(index);
            displaced = before;
            leaf.weight += weigher.weigh(key, value) - weigher.weigh(key, before);
            leaf.replaceEntry(index, value);
            return leaf;
        }
        int at = -index - 1;
        if (leaf.count < Leaf.MAX && (leaf.weight < Leaf.WEIGHT_MAX || leaf.count < 2)) {
            insertEntry(leaf, at, key, value);
            return leaf;
        }
        int keep = at == leaf.count ? leaf.count : leaf.count / 2;
        Leaf right = new Leaf(owner);
        leaf.moveEntries(keep, right);
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
        leaf.insertEntry(at, key, value);
        copiedBytes += KEYS_COPY_BYTES;
        long weight = weigher.weigh(key, value);
        leaf.weight += weight;
        dirtiedBytes += weight + NodeCache.ENTRY_BYTES;
    }

    private @Nullable Resident removeRange(Resident node, byte[] begin, byte[] end) {
        if (node instanceof Leaf leaf) {
            int from = leaf.indexOf(begin);
            int to = leaf.indexOf(end);
            return removeEntries(leaf, from < 0 ? -from - 1 : from, to < 0 ? -to - 1 : to);
        }
        Inner source = (Inner) node;
        int first = source.childOf(begin);
        int last = source.childOf(end);
        Resident firstBefore = source.load(first);
        Resident lastBefore = source.load(last);
        long weightBefore = firstBefore.weight + lastBefore.weight;
        Resident firstAfter = removeRange(firstBefore, begin, end);
        Resident lastAfter = first == last ? firstAfter : removeRange(lastBefore, begin, end);
        boolean sameNodes = last - first <= 1 && firstAfter == firstBefore && lastAfter == lastBefore;
        if (sameNodes && firstBefore.weight + lastBefore.weight == weightBefore) {
            return source;
        }
        Inner inner = own(source);
        int kept = first;
        if (firstAfter != null) {
            inner.setSlot(kept++, firstAfter);
        }
        if (first != last && lastAfter != null) {
            if (kept > first) {
                inner.setKey(kept, inner.keys[last]);
            }
            inner.setSlot(kept++, lastAfter);
        }
        inner.remove(kept, last + 1);
        if (inner.count == 0) {
            return null;
        }
        mergeSmall(inner, first);
        sumWeights(inner);
        return inner;
    }

    /** Joins the child at {@code index} with a neighbour where both are small leaves. */
    private void mergeSmall(Inner inner, int index) {
        int small = Math.min(index, inner.count - 1);
        if (inner.count < 2 || !(inner.load(small) instanceof Leaf leaf) || leaf.count >= FEW) {
            return;
        }
        int left = Math.max(0, small - 1);
        Leaf a = (Leaf) inner.load(left);
        Leaf b = (Leaf) inner.load(left + 1);
        if (a.count + b.count > Leaf.MAX / 2 || a.weight + b.weight > Leaf.WEIGHT_MAX) {
            return;
        }
        Leaf joined = own(a);
        for (int i = 0; i < b.count; i++) {
            joined.insertEntry(joined.count, b.keys[i], b.slot(i));
        }
        joined.weight += b.weight;
        inner.setSlot(left, joined);
        inner.remove(left + 1, left + 2);
    }

    private @Nullable Leaf removeEntries(Leaf source, int from, int to) {
        if (from >= to) {
            return source;
        }
        if (to - from == source.count) {
            return null;
        }
        Leaf leaf = own(source);
        leaf.removeEntries(from, to);
        copiedBytes += KEYS_COPY_BYTES;
        sumWeights(leaf);
        return leaf;
    }

    private Leaf own(Leaf leaf) {
        if (leaf.owner == owner) {
            return leaf;
        }
        noteCopy(leaf);
        return new Leaf(owner, leaf);
    }

    private Inner own(Inner inner) {
        if (inner.owner == owner) {
            return inner;
        }
        noteCopy(inner);
        return new Inner(owner, inner);
    }

    private void noteCopy(Resident node) {
        if (node.resting != null) {
            dirtiedBytes += NodeCache.heapBytes(node);
        }
        copiedBytes += COPY_BYTES;
    }

    @SuppressWarnings("unchecked") // leaves hold what an editor of V put there
    private void sumWeights(Resident node) {
        long weight = 0;
        for (int i = 0; i < node.count; i++) {
            weight += switch (node) {
                case Leaf leaf -> weigher.weigh(leaf.keys[i], (V) leaf.slot(i));
                case Inner inner -> inner.child(i).weight;
            };
        }
        node.weight = weight;
    }
}
