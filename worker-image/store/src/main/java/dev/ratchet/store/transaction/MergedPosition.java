/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * A place in the database as a transaction sees it: its own writes over what it knows of the rest. Stands on a segment
 * that is a row, empty, unknown, or unreadable. Not safe for use by several threads.
 */
final class MergedPosition {

    private final @Nullable WriteSegments writes;
    private final KnownRows known;
    private byte[] begin = Keys.FIRST;
    private byte[] end = Keys.FIRST;
    private WriteSegments.@Nullable Segment written;
    private KnownRows.Segment read;

    /** {@code writes}: null for a read that does not see them. */
    MergedPosition(@Nullable WriteSegments writes, KnownRows known) {
        this.writes = writes;
        this.known = known;
        read = known.at(Keys.FIRST);
    }

    /** Another position on the same data, at the start. */
    MergedPosition another() {
        return new MergedPosition(writes, known);
    }

    byte[] begin() {
        return begin;
    }

    byte[] end() {
        return end;
    }

    /** To the segment that holds a key. */
    void moveTo(byte[] key) {
        read = known.at(key);
        begin = read.begin();
        end = read.end();
        if (writes != null) {
            WriteSegments.Segment segment = writes.at(key);
            written = segment;
            begin = Keys.compare(begin, segment.begin()) < 0 ? segment.begin() : begin;
            end = Keys.compare(end, segment.end()) > 0 ? segment.end() : end;
        }
    }

    void next() {
        moveTo(end);
    }

    void previous() {
        byte[] until = begin;
        read = known.before(until);
        begin = read.begin();
        end = until;
        if (writes != null) {
            WriteSegments.Segment segment = writes.before(until);
            written = segment;
            begin = Keys.compare(begin, segment.begin()) < 0 ? segment.begin() : begin;
        }
    }

    boolean isUnreadable() {
        return written != null && written.isUnreadable();
    }

    boolean isUnknown() {
        checkReadable();
        WriteSegments.Segment segment = written;
        boolean dependsOnDatabase = segment == null || segment.isUntouched() || segment.isDependent();
        return dependsOnDatabase && !read.isKnown();
    }

    /** Whether this is one key that has, or may have, a value. */
    boolean isRow() {
        checkReadable();
        WriteSegments.Segment segment = written;
        if (segment == null || segment.isUntouched()) {
            return read.row() != null;
        }
        return segment.isKey() && !isUnknown();
    }

    boolean isEmpty() {
        return !isRow() && !isUnknown();
    }

    /** The row; null when an operation has removed it. */
    @Nullable
    KeyValue row() {
        WriteSegments.Segment segment = written;
        KeyValue row = read.row();
        if (segment == null || segment.isUntouched()) {
            return row;
        }
        byte[] value = segment.entry().over(row == null ? null : row.getValue());
        return value == null ? null : new KeyValue(begin, value);
    }

    private void checkReadable() {
        if (isUnreadable()) {
            throw new EmbeddedFDBException(ErrorCode.ACCESSED_UNREADABLE);
        }
    }
}
