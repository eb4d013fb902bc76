/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.ordered.KeySearch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which version wrote each part of the key space last: a B+ tree of boundaries in which each subtree knows its greatest
 * version, so that both a write and a question cost the logarithm of what was written, whatever the size of the range
 * or of the database. Writes must come with versions that never go down.
 *
 * <p>The entry at key k tells the version of k itself and the version of what lies between k and the next entry: a
 * write of one key, by far the most common, is one entry. For one thread at a time.
 */
final class IntervalVersions {

    private static final int MAX = 32;
    private static final long KEEP = Long.MIN_VALUE;
    /** Rough bytes of a boundary besides its key: references, two versions, and nodes that are not full. */
    private static final int ENTRY_BYTES = 100;

    private Node root;
    private int entries = 1;
    private long insertedBytes;
    private long visitedNodes;
    private @Nullable Node split;

    /** All keys at version {@code floor}. */
    IntervalVersions(long floor) {
        Leaf leaf = new Leaf();
        leaf.keys[0] = new byte[0];
        leaf.at[0] = floor;
        leaf.after[0] = floor;
        leaf.count = 1;
        leaf.max = floor;
        root = leaf;
    }

    /** How many boundaries there are. */
    int entries() {
        return entries;
    }

    /** Rough size in memory at most: of all boundaries that ever were, though some are gone. */
    long sizeBytes() {
        return insertedBytes;
    }

    /** How many nodes all questions and writes have looked at: what they cost. */
    long visitedNodes() {
        return visitedNodes;
    }

    /** Everything in {@code [begin, end)} is of this version now. */
    void write(byte[] begin, byte[] end, long version) {
        if (isNext(begin, end)) {
            put(begin, version, false);
            return;
        }
        if (Arrays.compareUnsigned(begin, end) >= 0) {
            return;
        }
        put(end, KEEP, false);
        put(begin, version, true);
        removeBetween(root, begin, end);
        while (root instanceof Inner inner && inner.count == 1) {
            root = inner.children[0];
        }
    }

    /** The greatest version of anything in {@code [begin, end)}, which must not be empty. */
    long max(byte[] begin, byte[] end) {
        if (isNext(begin, end)) {
            return at(begin);
        }
        return max(root, begin, end, true);
    }

    private static boolean isNext(byte[] begin, byte[] end) {
        int length = begin.length;
        return end.length == length + 1 && end[length] == 0 && Arrays.equals(begin, 0, length, end, 0, length);
    }

    private long at(byte[] key) {
        Node node = root;
        visitedNodes++;
        while (node instanceof Inner inner) {
            node = inner.children[inner.floorOf(key)];
            visitedNodes++;
        }
        Leaf leaf = (Leaf) node;
        int index = leaf.floorOf(key);
        return Arrays.equals(leaf.keys[index], key) ? leaf.at[index] : leaf.after[index];
    }

    /** {@code containsBegin}: whether the range begins in this node, or in one before it. */
    private long max(Node node, byte[] begin, byte[] end, boolean containsBegin) {
        visitedNodes++;
        long max = Long.MIN_VALUE;
        if (node instanceof Inner inner) {
            int first = containsBegin ? inner.floorOf(begin) : 0;
            for (int i = first; i < inner.count; i++) {
                if (i > first && Arrays.compareUnsigned(inner.keys[i], end) >= 0) {
                    break;
                }
                boolean whole = (i > first || !containsBegin)
                        && i + 1 < inner.count
                        && Arrays.compareUnsigned(inner.keys[i + 1], end) < 0;
                Node child = inner.children[i];
                max = Math.max(max, whole ? child.max : max(child, begin, end, containsBegin && i == first));
            }
            return max;
        }
        Leaf leaf = (Leaf) node;
        int first = containsBegin ? leaf.floorOf(begin) : 0;
        for (int i = first; i < leaf.count; i++) {
            byte[] key = leaf.keys[i];
            if (i > first || !containsBegin) {
                if (Arrays.compareUnsigned(key, end) >= 0) {
                    break;
                }
                max = Math.max(max, leaf.at[i]);
            } else if (Arrays.equals(key, begin)) {
                max = Math.max(max, leaf.at[i]);
            }
            if (!isNext(key, end)) {
                max = Math.max(max, leaf.after[i]);
            }
        }
        return max;
    }

    /**
     * Makes an entry at {@code key}: of the version, alone or with what follows, or of what is there ({@code KEEP}).
     */
    private void put(byte[] key, long version, boolean following) {
        put(root, key, version, following);
        Node right = split;
        if (right != null) {
            split = null;
            Inner grown = new Inner();
            grown.keys[0] = root.firstKey();
            grown.keys[1] = right.firstKey();
            grown.children[0] = root;
            grown.children[1] = right;
            grown.count = 2;
            grown.max = Math.max(root.max, right.max);
            root = grown;
        }
    }

    private void put(Node node, byte[] key, long version, boolean following) {
        visitedNodes++;
        if (node instanceof Inner inner) {
            int index = inner.floorOf(key);
            put(inner.children[index], key, version, following);
            inner.max = Math.max(inner.max, version);
            Node right = split;
            if (right != null) {
                split = null;
                insertChild(inner, index + 1, right);
            }
            return;
        }
        Leaf leaf = (Leaf) node;
        int index = leaf.floorOf(key);
        if (!Arrays.equals(leaf.keys[index], key)) {
            long covering = leaf.after[index];
            insertEntry(leaf, index + 1, key, version == KEEP ? covering : version, following ? version : covering);
            return;
        }
        if (version != KEEP) {
            leaf.at[index] = version;
            leaf.max = Math.max(leaf.max, version);
            if (following) {
                leaf.after[index] = version;
            }
        }
    }

    private void insertEntry(Leaf leaf, int index, byte[] key, long at, long after) {
        entries++;
        insertedBytes += ENTRY_BYTES + key.length;
        if (leaf.count < MAX) {
            leaf.insert(index, key, at, after);
            return;
        }
        Leaf right = new Leaf();
        int keep = index == MAX ? MAX - 1 : MAX / 2;
        right.count = MAX - keep;
        System.arraycopy(leaf.keys, keep, right.keys, 0, right.count);
        System.arraycopy(leaf.at, keep, right.at, 0, right.count);
        System.arraycopy(leaf.after, keep, right.after, 0, right.count);
        leaf.cut(keep);
        right.sum();
        leaf.sum();
        if (index <= keep) {
            leaf.insert(index, key, at, after);
        } else {
            right.insert(index - keep, key, at, after);
        }
        split = right;
    }

    private void insertChild(Inner inner, int index, Node child) {
        if (inner.count < MAX) {
            inner.insert(index, child);
            return;
        }
        Inner right = new Inner();
        int keep = index == MAX ? MAX - 1 : MAX / 2;
        right.count = MAX - keep;
        System.arraycopy(inner.keys, keep, right.keys, 0, right.count);
        System.arraycopy(inner.children, keep, right.children, 0, right.count);
        inner.cut(keep);
        if (index <= keep) {
            inner.insert(index, child);
        } else {
            right.insert(index - keep, child);
        }
        right.sum();
        inner.sum();
        split = right;
    }

    /** Removes the entries after {@code begin} and before {@code end}; the one at {@code begin} is in this node. */
    private void removeBetween(Node node, byte[] begin, byte[] end) {
        if (node instanceof Leaf leaf) {
            removeEntries(leaf, leaf.floorOf(begin) + 1, leaf.ceilingOf(end));
            return;
        }
        Inner inner = (Inner) node;
        int first = inner.floorOf(begin);
        int last = inner.floorOf(end);
        removeBetween(inner.children[first], begin, end);
        if (last > first) {
            for (int i = first + 1; i < last; i++) {
                entries -= countEntries(inner.children[i]);
            }
            int write = first + 1;
            if (removeBefore(inner.children[last], end)) {
                inner.keys[write] = inner.children[last].firstKey();
                inner.children[write++] = inner.children[last];
            }
            for (int read = last + 1; read < inner.count; read++, write++) {
                inner.keys[write] = inner.keys[read];
                inner.children[write] = inner.children[read];
            }
            inner.cut(write);
        }
        inner.sum();
    }

    /** Removes the entries before {@code end}; false when none is left. */
    private boolean removeBefore(Node node, byte[] end) {
        if (node instanceof Leaf leaf) {
            removeEntries(leaf, 0, leaf.ceilingOf(end));
            return leaf.count > 0;
        }
        Inner inner = (Inner) node;
        int last = inner.floorOf(end);
        for (int i = 0; i < last; i++) {
            entries -= countEntries(inner.children[i]);
        }
        int drop = removeBefore(inner.children[last], end) ? last : last + 1;
        int rest = inner.count - drop;
        System.arraycopy(inner.keys, drop, inner.keys, 0, rest);
        System.arraycopy(inner.children, drop, inner.children, 0, rest);
        inner.cut(rest);
        inner.sum();
        if (rest > 0) {
            inner.keys[0] = inner.children[0].firstKey();
        }
        return rest > 0;
    }

    private static int countEntries(Node node) {
        if (node instanceof Leaf) {
            return node.count;
        }
        int sum = 0;
        for (int i = 0; i < node.count; i++) {
            sum += countEntries(((Inner) node).children[i]);
        }
        return sum;
    }

    private void removeEntries(Leaf leaf, int from, int to) {
        if (from >= to) {
            return;
        }
        int rest = leaf.count - to;
        System.arraycopy(leaf.keys, to, leaf.keys, from, rest);
        System.arraycopy(leaf.at, to, leaf.at, from, rest);
        System.arraycopy(leaf.after, to, leaf.after, from, rest);
        entries -= to - from;
        leaf.cut(from + rest);
        leaf.sum();
    }

    private abstract static sealed class Node permits Leaf, Inner {
        final byte[][] keys = new byte[MAX][];
        int count;
        long max;

        /** The last index whose key is not after {@code key}; 0 when there is none. */
        int floorOf(byte[] key) {
            return KeySearch.floorOf(keys, count, key);
        }

        /** The first index whose key is not before {@code key}. */
        int ceilingOf(byte[] key) {
            int index = floorOf(key);
            return Arrays.compareUnsigned(keys[index], key) < 0 ? index + 1 : index;
        }

        byte[] firstKey() {
            return keys[0];
        }
    }

    private static final class Leaf extends Node {
        final long[] at = new long[MAX];
        final long[] after = new long[MAX];

        void insert(int index, byte[] key, long atVersion, long afterVersion) {
            System.arraycopy(keys, index, keys, index + 1, count - index);
            System.arraycopy(at, index, at, index + 1, count - index);
            System.arraycopy(after, index, after, index + 1, count - index);
            keys[index] = key;
            at[index] = atVersion;
            after[index] = afterVersion;
            count++;
            max = Math.max(max, Math.max(atVersion, afterVersion));
        }

        void cut(int newCount) {
            Arrays.fill(keys, newCount, count, null);
            count = newCount;
        }

        void sum() {
            max = Long.MIN_VALUE;
            for (int i = 0; i < count; i++) {
                max = Math.max(max, Math.max(at[i], after[i]));
            }
        }
    }

    private static final class Inner extends Node {
        final Node[] children = new Node[MAX];

        void insert(int index, Node child) {
            System.arraycopy(keys, index, keys, index + 1, count - index);
            System.arraycopy(children, index, children, index + 1, count - index);
            keys[index] = child.firstKey();
            children[index] = child;
            count++;
            max = Math.max(max, child.max);
        }

        void cut(int newCount) {
            Arrays.fill(keys, newCount, count, null);
            Arrays.fill(children, newCount, count, null);
            count = newCount;
        }

        void sum() {
            max = Long.MIN_VALUE;
            for (int i = 0; i < count; i++) {
                max = Math.max(max, children[i].max);
            }
        }
    }
}
