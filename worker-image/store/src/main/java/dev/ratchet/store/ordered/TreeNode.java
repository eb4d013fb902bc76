/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A node of a tree, in memory or standing for one on a page. */
abstract sealed class TreeNode permits TreeNode.Resident, Resting {

    /** Sum of the weights of the entries below it. */
    long weight;

    abstract byte[] firstKey();

    /**
     * A node in memory: keys in order, and a slot for what belongs to each. Changed only by the editor that owns it;
     * without an owner, by nobody.
     *
     * <p>Most changes replace one slot, and every version of the data keeps its own copy of the node. So copies share
     * the array of keys until a key comes or goes, and slots lie in chunks, of which a copy makes its own only where it
     * changes one. What a version costs, in memory and in work for the garbage collector, is what it changed.
     */
    abstract static sealed class Resident extends TreeNode permits Leaf, Inner {

        static final int MAX = 32;
        private static final int CHUNK_BITS = 3;
        private static final int CHUNK = 1 << CHUNK_BITS;
        private static final int KEYS_MIN = 4;
        private static final int KEYS = 1 << (MAX / CHUNK);

        final Object owner;
        /** What stands for this node once it has been written; null while it is in memory alone. */
        @Nullable
        Resting resting;
        /** What stands for the newest node before this one that rests; null once this one does. */
        @Nullable
        Resting former;

        int count;
        byte[][] keys;
        private final Object[][] chunks;
        /** A bit for each chunk that is shared with no other node, and one for the keys. */
        private int owned;

        Resident(Object owner) {
            this.owner = owner;
            keys = new byte[KEYS_MIN][];
            chunks = new Object[MAX / CHUNK][];
            owned = KEYS;
        }

        /** A copy for another owner. */
        Resident(Object owner, Resident source) {
            this.owner = owner;
            Resting rests = source.resting;
            former = rests == null ? source.former : rests;
            keys = source.keys;
            chunks = source.chunks.clone();
            count = source.count;
            weight = source.weight;
        }

        final Object slot(int index) {
            return chunks[index >>> CHUNK_BITS][index & (CHUNK - 1)];
        }

        final void setSlot(int index, @Nullable Object content) {
            int chunk = index >>> CHUNK_BITS;
            if ((owned & (1 << chunk)) == 0) {
                Object[] shared = chunks[chunk];
                chunks[chunk] = shared == null ? new Object[CHUNK] : shared.clone();
                owned |= 1 << chunk;
            }
            chunks[chunk][index & (CHUNK - 1)] = content;
        }

        /** Puts what stands for the same content into a slot, of this node and of all copies that share it. */
        final void replaceSlot(int index, Object same) {
            chunks[index >>> CHUNK_BITS][index & (CHUNK - 1)] = same;
        }

        final void setKey(int index, byte[] key) {
            ownKeys(count);
            keys[index] = key;
        }

        private void ownKeys(int capacity) {
            if ((owned & KEYS) == 0 || keys.length < capacity) {
                int length = Math.max(KEYS_MIN, Integer.highestOneBit(capacity - 1) << 1);
                keys = Arrays.copyOf(keys, Math.max(keys.length, length));
                owned |= KEYS;
            }
        }

        final void append(byte[] key, Object content) {
            insert(count, key, content);
        }

        final void insert(int index, byte[] key, Object content) {
            ownKeys(count + 1);
            System.arraycopy(keys, index, keys, index + 1, count - index);
            keys[index] = key;
            for (int i = count; i > index; i--) {
                setSlot(i, slot(i - 1));
            }
            setSlot(index, content);
            count++;
        }

        /** Removes the entries from one index to another, exclusive. */
        final void remove(int from, int to) {
            if (from == to) {
                return;
            }
            ownKeys(count);
            System.arraycopy(keys, to, keys, from, count - to);
            for (int i = to; i < count; i++) {
                setSlot(from + i - to, slot(i));
            }
            cut(from + count - to);
        }

        /** Moves the entries from an index on to the end of another node. */
        final void moveTail(int from, Resident to) {
            for (int i = from; i < count; i++) {
                to.append(keys[i], slot(i));
            }
            ownKeys(count);
            cut(from);
        }

        /** Lets go of all that lies behind, so that it can be collected. */
        private void cut(int newCount) {
            Arrays.fill(keys, newCount, count, null);
            for (int i = newCount; i < count; i++) {
                if ((i & (CHUNK - 1)) == 0) {
                    chunks[i >>> CHUNK_BITS] = null;
                    owned &= ~(1 << (i >>> CHUNK_BITS));
                    i += CHUNK - 1;
                } else {
                    setSlot(i, null);
                }
            }
            count = newCount;
        }

        @Override
        final byte[] firstKey() {
            return keys[0];
        }
    }

    /** Entries. */
    static final class Leaf extends Resident {

        /** A leaf of larger values holds fewer of them, since it is written as a whole. */
        static final long WEIGHT_MAX = 32 << 10;

        private static final int ALL = -1;

        /**
         * A bit for each entry that may differ from the page that {@link #former} extends: what to write is that page
         * again, or these entries beside it. Never changed once the leaf is frozen, since copies go by it.
         */
        private int changed;

        Leaf(Object owner) {
            super(owner);
            changed = ALL;
        }

        Leaf(Object owner, Leaf source) {
            super(owner, source);
            Resting extended = former;
            changed = extended != null && extended == source.resting && extended.isWhole() ? 0 : source.changed;
        }

        /** Whether what differs from the page before are some entries alone, new ones or with other values. */
        boolean extendsFormer() {
            return changed != ALL;
        }

        int changed() {
            return changed;
        }

        /** All is as the page has it that the leaf was read from. */
        void changedNothing() {
            changed = 0;
        }

        void replaceEntry(int index, Object value) {
            setSlot(index, value);
            changed |= 1 << index;
        }

        void insertEntry(int index, byte[] key, Object value) {
            insert(index, key, value);
            int before = (1 << index) - 1;
            changed = (changed & before) | (1 << index) | ((changed & ~before) << 1);
        }

        void removeEntries(int from, int to) {
            remove(from, to);
            changed = ALL;
        }

        void moveEntries(int from, Leaf to) {
            moveTail(from, to);
            changed = ALL;
        }

        /** Index of the key, or {@code -(insertion point) - 1}. */
        int indexOf(byte[] key) {
            return KeySearch.indexOf(keys, 0, count, key);
        }
    }

    /** Children in order; each key is no greater than any key of its child and greater than all before. */
    static final class Inner extends Resident {

        Inner(Object owner) {
            super(owner);
        }

        Inner(Object owner, Inner source) {
            super(owner, source);
        }

        /** A child as it stands there: in memory, or resting. */
        TreeNode child(int index) {
            return (TreeNode) slot(index);
        }

        /** A child, brought to memory where it rests. */
        Resident load(int index) {
            TreeNode child = child(index);
            return child instanceof Resting resting ? resting.node() : (Resident) child;
        }

        /**
         * A child that is in memory.
         *
         * @throws PageAbsentException if it is not
         */
        Resident inMemory(int index) {
            TreeNode child = child(index);
            return child instanceof Resting resting ? resting.inMemory() : (Resident) child;
        }

        /** The child that holds the key if any does. */
        int childOf(byte[] key) {
            return KeySearch.floorOf(keys, count, key);
        }
    }
}
