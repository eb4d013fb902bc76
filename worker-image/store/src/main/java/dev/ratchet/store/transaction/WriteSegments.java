/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.TreeCursor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a transaction at one moment, as segments that cover the key space without gap or overlap: a key with
 * operations, or a range that is untouched or cleared. Immutable.
 */
final class WriteSegments {

    /** Beyond every key. */
    static final byte[] END = {(byte) 0xff, (byte) 0xff, (byte) 0xff};

    private final OrderedTree<WriteEntry> entries;

    WriteSegments(OrderedTree<WriteEntry> entries) {
        this.entries = entries;
    }

    /** The keys {@code [begin, end)}, all in the same state: that of the entry's key, or of what follows it. */
    record Segment(byte[] begin, byte[] end, WriteEntry entry, boolean isKey) {

        boolean isUntouched() {
            return !isKey && !entry.cleared();
        }

        boolean isCleared() {
            return !isKey && entry.cleared();
        }

        boolean isDependent() {
            return isKey && entry.isDependent();
        }

        boolean isConflict() {
            return isKey ? entry.conflict() : entry.followingConflict();
        }

        boolean isUnreadable() {
            return isKey ? entry.unreadable() : entry.followingUnreadable();
        }

        /** Whether reading it depends on the database. */
        boolean needsConflict() {
            return isUntouched() || (isKey && entry.isDependent() && !entry.cleared());
        }
    }

    /** The segment that holds a key. */
    Segment at(byte[] key) {
        TreeCursor<WriteEntry> cursor = entries.cursor();
        cursor.seekFloor(key);
        byte[] begin = cursor.key();
        WriteEntry entry = cursor.value();
        if (entry.operations() != null) {
            byte[] after = Keys.after(begin);
            if (Keys.compare(key, after) < 0) {
                return new Segment(begin, after, entry, true);
            }
            begin = after;
        }
        return new Segment(begin, cursor.next() ? cursor.key() : END, entry, false);
    }

    /** The segment that ends at a key, or in which it is: the one with the keys just before it. */
    Segment before(byte[] key) {
        TreeCursor<WriteEntry> cursor = entries.cursor();
        cursor.seekLower(key);
        byte[] begin = cursor.key();
        WriteEntry entry = cursor.value();
        if (entry.operations() != null) {
            byte[] after = Keys.after(begin);
            if (Keys.compare(key, after) == 0) {
                return new Segment(begin, after, entry, true);
            }
            begin = after;
        }
        return new Segment(begin, key, entry, false);
    }

    /** The segment after another; null after the last. */
    @Nullable
    Segment next(Segment segment) {
        return segment.end == END ? null : at(segment.end);
    }

    /** The segments with keys in {@code [begin, end)}, in order. */
    void forEach(byte[] begin, byte[] end, Consumer<Segment> action) {
        TreeCursor<WriteEntry> cursor = entries.cursor();
        cursor.seekFloor(begin);
        boolean more = true;
        while (more && Keys.compare(cursor.key(), end) < 0) {
            byte[] from = cursor.key();
            WriteEntry entry = cursor.value();
            more = cursor.next();
            byte[] to = more ? cursor.key() : END;
            if (entry.operations() != null) {
                byte[] after = Keys.after(from);
                if (Keys.compare(begin, after) < 0) {
                    action.accept(new Segment(from, after, entry, true));
                }
                from = after;
            }
            if (Keys.compare(begin, to) < 0 && Keys.compare(from, end) < 0 && Keys.compare(from, to) < 0) {
                action.accept(new Segment(from, to, entry, false));
            }
        }
    }

    /** Whether all of {@code [begin, end)} is untouched and readable, so that the database alone answers. */
    boolean isPlain(byte[] begin, byte[] end) {
        TreeCursor<WriteEntry> cursor = entries.cursor();
        cursor.seekFloor(begin);
        boolean first = true;
        do {
            WriteEntry entry = cursor.value();
            boolean ownKey = !first || Keys.compare(cursor.key(), begin) == 0;
            if ((ownKey && entry.operations() != null) || entry.cleared() || entry.followingUnreadable()) {
                return false;
            }
            first = false;
        } while (cursor.next() && Keys.compare(cursor.key(), end) < 0);
        return true;
    }
}
