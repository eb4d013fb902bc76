/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.TreeCursor;
import dev.ratchet.store.ordered.TreeEditor;
import dev.ratchet.store.transaction.WriteEntry.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * What a transaction has written so far: for each part of the key space whether it is untouched, cleared or operated
 * on, whether it conflicts with readers, whether it can be read. A {@link #snapshot} stays as it is whatever is written
 * later, which is how a read sees the writes before it and none after. Not safe for use by several threads.
 */
final class WriteMap {

    private final TreeEditor<WriteEntry> entries =
            OrderedTree.<WriteEntry>empty((key, entry) -> 0).edit();

    WriteMap() {
        entries.put(Keys.FIRST, WriteEntry.UNTOUCHED);
    }

    /** All of it as it is now. */
    WriteSegments snapshot() {
        return new WriteSegments(entries.freeze());
    }

    /** Records an operation on one key. A conflict once declared stays. */
    void mutate(byte[] key, int type, byte[] param, boolean addConflict) {
        TreeCursor<WriteEntry> cursor = entries.cursor();
        cursor.seekFloor(key);
        WriteEntry floor = cursor.value();
        boolean exact = Keys.compare(cursor.key(), key) == 0;
        boolean point = exact && floor.operations() != null;
        boolean stamped = type == Mutation.SET_VERSIONSTAMPED_KEY || type == Mutation.SET_VERSIONSTAMPED_VALUE;
        boolean dependent = type != Mutation.SET && !stamped;
        boolean unreadableBefore = point ? floor.unreadable() : floor.followingUnreadable();
        boolean conflict = addConflict || (point ? floor.conflict() : floor.followingConflict());
        Operation next = new Operation(type, param);
        Operation[] operations;
        if (!point && floor.cleared() && dependent) {
            operations = new Operation[] {new Operation(Mutation.SET, AtomicOperations.apply(type, null, param))};
        } else if (!point || (!unreadableBefore && (type == Mutation.SET || stamped))) {
            operations = new Operation[] {next};
        } else if (unreadableBefore) {
            operations = floor.pushed(next);
        } else {
            operations = floor.merged(next);
        }
        entries.put(
                key,
                new WriteEntry(
                        operations,
                        conflict,
                        unreadableBefore || stamped,
                        floor.cleared(),
                        floor.followingConflict(),
                        floor.followingUnreadable()));
    }

    /** Clears a range. Without a conflict of its own, those that are there stay. */
    void clear(byte[] begin, byte[] end, boolean addConflict) {
        if (addConflict) {
            replace(begin, end, WriteEntry.range(true, true, false));
            return;
        }
        splitAt(begin);
        splitAt(end);
        List<byte[]> keys = new ArrayList<>();
        List<WriteEntry> cleared = new ArrayList<>();
        for (Found found : between(begin, end)) {
            WriteEntry entry = found.entry;
            keys.add(found.key);
            cleared.add(WriteEntry.range(true, entry.conflict(), false));
            byte[] after = Keys.after(found.key);
            if (entry.conflict() != entry.followingConflict() && entries.get(after) == null) {
                keys.add(after);
                cleared.add(WriteEntry.range(true, entry.followingConflict(), false));
            }
        }
        entries.removeRange(begin, end);
        for (int i = 0; i < keys.size(); i++) {
            entries.put(keys.get(i), cleared.get(i));
        }
    }

    /** Makes a range untouched but unreadable: a versionstamped key will be somewhere in it. */
    void addUnreadable(byte[] begin, byte[] end) {
        replace(begin, end, WriteEntry.range(false, false, true));
    }

    /** Declares a range to conflict with readers. */
    void addConflict(byte[] begin, byte[] end) {
        splitAt(begin);
        splitAt(end);
        for (Found found : between(begin, end)) {
            WriteEntry entry = found.entry;
            entries.put(
                    found.key,
                    new WriteEntry(
                            entry.operations(),
                            true,
                            entry.unreadable(),
                            entry.cleared(),
                            true,
                            entry.followingUnreadable()));
        }
    }

    private record Found(byte[] key, WriteEntry entry) {}

    private List<Found> between(byte[] begin, byte[] end) {
        List<Found> found = new ArrayList<>();
        TreeCursor<WriteEntry> cursor = entries.cursor();
        for (boolean more = cursor.seekCeiling(begin);
                more && Keys.compare(cursor.key(), end) < 0;
                more = cursor.next()) {
            found.add(new Found(cursor.key(), cursor.value()));
        }
        return found;
    }

    private void replace(byte[] begin, byte[] end, WriteEntry entry) {
        splitAt(end);
        entries.removeRange(begin, end);
        entries.put(begin, entry);
    }

    /** Makes an entry begin at a key, which changes nothing. */
    private void splitAt(byte[] key) {
        TreeCursor<WriteEntry> cursor = entries.cursor();
        cursor.seekFloor(key);
        if (Keys.compare(cursor.key(), key) != 0) {
            WriteEntry floor = cursor.value();
            entries.put(key, WriteEntry.range(floor.cleared(), floor.followingConflict(), floor.followingUnreadable()));
        }
    }
}
