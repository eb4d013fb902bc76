/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import dev.ratchet.store.ordered.TreeNode.Inner;
import dev.ratchet.store.ordered.TreeNode.Leaf;
import dev.ratchet.store.ordered.TreeNode.Resident;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Walks one tree in either direction. Moves return whether they found an entry. For one thread at a time. */
public final class TreeCursor<V> {

    private static final int DEPTH_MAX = 16;

    private static final Inner[] NO_PATH = {};
    private static final int[] NO_INDEXES = {};

    private final @Nullable Resident root;
    private final boolean waits;
    private Inner[] path = NO_PATH;
    private int[] indexes = NO_INDEXES;
    private int depth;
    private @Nullable Leaf leaf;
    private int index;

    TreeCursor(@Nullable Resident root, boolean waits) {
        this.root = root;
        this.waits = waits;
    }

    private Resident child(Inner inner, int childIndex) {
        return waits ? inner.load(childIndex) : inner.inMemory(childIndex);
    }

    /** To the first entry whose key is not before {@code key}. */
    public boolean seekCeiling(byte[] key) {
        if (root == null) {
            return false;
        }
        Leaf found = descend(key);
        int at = found.indexOf(key);
        index = at < 0 ? -at - 1 : at;
        return index < found.count || nextLeaf();
    }

    /** To the last entry whose key is before {@code key}. */
    public boolean seekLower(byte[] key) {
        if (root == null) {
            return false;
        }
        Leaf found = descend(key);
        int at = found.indexOf(key);
        index = (at < 0 ? -at - 1 : at) - 1;
        return index >= 0 || previousLeaf();
    }

    /** To the last entry whose key is not after {@code key}. */
    public boolean seekFloor(byte[] key) {
        if (root == null) {
            return false;
        }
        Leaf found = descend(key);
        int at = found.indexOf(key);
        index = at < 0 ? -at - 2 : at;
        return index >= 0 || previousLeaf();
    }

    /** To the next entry; the cursor must stand on one. */
    public boolean next() {
        return ++index < standing().count || nextLeaf();
    }

    /** To the previous entry; the cursor must stand on one. */
    public boolean previous() {
        standing();
        return --index >= 0 || previousLeaf();
    }

    /** The key where it stands. Not to be changed. */
    public byte[] key() {
        return standing().keys[index];
    }

    /** The value where it stands. */
    @SuppressWarnings("unchecked") // leaves hold what an editor of V put there
    public V value() {
        return (V) standing().slot(index);
    }

    private Leaf standing() {
        if (leaf == null) {
            throw new IllegalStateException("the cursor stands on no entry");
        }
        return leaf;
    }

    private Leaf descend(byte[] key) {
        Resident node = Objects.requireNonNull(root);
        depth = 0;
        if (node instanceof Inner && path == NO_PATH) {
            path = new Inner[DEPTH_MAX];
            indexes = new int[DEPTH_MAX];
        }
        while (node instanceof Inner inner) {
            int child = inner.childOf(key);
            path[depth] = inner;
            indexes[depth++] = child;
            node = child(inner, child);
        }
        Leaf found = (Leaf) node;
        leaf = found;
        return found;
    }

    private boolean nextLeaf() {
        int level = depth - 1;
        while (level >= 0 && indexes[level] == path[level].count - 1) {
            level--;
        }
        if (level < 0) {
            leaf = null;
            return false;
        }
        Resident node = child(path[level], ++indexes[level]);
        while (node instanceof Inner inner) {
            path[++level] = inner;
            indexes[level] = 0;
            node = child(inner, 0);
        }
        leaf = (Leaf) node;
        index = 0;
        return true;
    }

    private boolean previousLeaf() {
        int level = depth - 1;
        while (level >= 0 && indexes[level] == 0) {
            level--;
        }
        if (level < 0) {
            leaf = null;
            return false;
        }
        Resident node = child(path[level], --indexes[level]);
        while (node instanceof Inner inner) {
            path[++level] = inner;
            indexes[level] = inner.count - 1;
            node = child(inner, inner.count - 1);
        }
        Leaf found = (Leaf) node;
        leaf = found;
        index = found.count - 1;
        return true;
    }
}
