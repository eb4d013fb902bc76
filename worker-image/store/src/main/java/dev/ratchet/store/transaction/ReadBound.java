/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeySelector;

/**
 * One end of a read while it is being found out: the key {@code offset - 1} rows after the first one not before
 * {@code key}. It is resolved by walking {@code key} towards {@code offset} 1. For one thread at a time.
 */
final class ReadBound {

    private byte[] key;
    private int offset;
    private int offsetSeen;

    ReadBound(byte[] key, int offset) {
        this.key = key;
        this.offset = offset;
        offsetSeen = offset;
    }

    static ReadBound of(KeySelector selector) {
        byte[] key = selector.orEqual() ? Keys.after(selector.getKey()) : selector.getKey();
        return new ReadBound(key, selector.getOffset());
    }

    ReadBound copy() {
        return new ReadBound(key, offset);
    }

    byte[] key() {
        return key;
    }

    int offset() {
        return offset;
    }

    /** The offset as it was when the walk last had anything to do. */
    int offsetSeen() {
        return offsetSeen;
    }

    boolean isResolved() {
        return offset == 1;
    }

    boolean isAt(byte[] other) {
        return offset == 1 && Keys.compare(key, other) == 0;
    }

    void resolveTo(byte[] resolved) {
        key = resolved;
        offset = 1;
    }

    /** Where a walk came to. */
    static final class Edges {
        boolean toBegin;
        boolean throughEnd;

        void note(byte[] resolved, byte[] maxKey) {
            toBegin |= resolved.length == 0;
            throughEnd |= Keys.compare(resolved, maxKey) == 0;
        }
    }

    /**
     * Walks as far as what is known reaches. Afterwards the position stands on the row it found, or on a segment that
     * is unknown or unreadable and touches the key, or at an edge of the key space.
     */
    void resolve(MergedPosition at, byte[] maxKey, Edges edges) {
        boolean exhausted = offset == 1;
        at.moveTo(key);
        if (offset <= 0 && Keys.compare(at.begin(), key) == 0 && key.length > 0) {
            at.previous();
        }
        byte[] walked = walk(at, maxKey);
        if (!exhausted) {
            offsetSeen = offset;
        }
        if (!at.isUnreadable() && !at.isUnknown()) {
            if (offset < 1) {
                edges.toBegin = true;
                resolveTo(Keys.FIRST);
                return;
            }
            if (offset > 1) {
                edges.throughEnd = true;
                resolveTo(maxKey);
                return;
            }
        }
        while (!at.isUnreadable() && at.isEmpty() && Keys.compare(at.end(), maxKey) < 0) {
            at.next();
            walked = at.begin();
        }
        key = walked;
    }

    private byte[] walk(MergedPosition at, byte[] maxKey) {
        byte[] walked = key;
        while (offset > 1 && !at.isUnreadable() && !at.isUnknown() && Keys.compare(at.end(), maxKey) < 0) {
            offset -= hasRow(at) ? 1 : 0;
            at.next();
            walked = at.begin();
        }
        while (offset < 1 && !at.isUnreadable() && !at.isUnknown() && at.begin().length > 0) {
            if (hasRow(at)) {
                offset++;
                if (offset == 1) {
                    return at.begin();
                }
            }
            at.previous();
            walked = at.end();
        }
        return walked;
    }

    private static boolean hasRow(MergedPosition at) {
        return at.isRow();
    }
}
