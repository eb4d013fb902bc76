/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

/**
 * How far one request to the database goes from an unknown place: on over unknown ranges, rows and single cleared keys,
 * up to the other bound, a cleared range, or something unreadable. Where a chunk of rows ends depends on it, and with
 * it which unreadable keys a read meets.
 */
final class ReadReach {

    private static final int SEGMENTS = 100;

    private final byte[] edge;
    private final boolean whole;
    private final int singles;

    /** From {@code start} towards {@code other}; later requests of one read pass over more cleared keys. */
    ReadReach(MergedPosition start, MergedPosition other, int requests, boolean forward) {
        int clearedMax = requests == 0 ? 0 : 1 << Math.min(requests, 20);
        MergedPosition at = start.another();
        at.moveTo(start.begin());
        byte[] last = forward ? at.end() : at.begin();
        boolean reached = Keys.compare(at.begin(), other.begin()) == 0;
        boolean lastIsOther = reached;
        int found = 0;
        int order = forward ? 1 : -1;
        boolean towards = Keys.compare(other.begin(), at.begin()) * order > 0;
        for (int i = 0; towards && !reached && i < clearedMax + SEGMENTS; i++) {
            if (forward) {
                at.next();
            } else {
                at.previous();
            }
            reached = Keys.compare(at.begin(), other.begin()) == 0;
            if (at.isUnreadable()) {
                break;
            }
            if (at.isUnknown()) {
                last = forward ? at.end() : at.begin();
                lastIsOther = reached;
            } else if (at.isEmpty()) {
                if (!isOneKey(at)) {
                    break;
                }
                found++;
            }
        }
        edge = last;
        whole = lastIsOther;
        singles = Math.min(found, clearedMax);
    }

    private static boolean isOneKey(MergedPosition at) {
        return at.end().length == at.begin().length + 1 && Keys.startsWith(at.end(), at.begin());
    }

    /** Where the request ends. */
    byte[] edge() {
        return edge;
    }

    /** Whether it comes to where the other bound is. */
    boolean isWhole() {
        return whole;
    }

    /** Cleared keys on the way, whose rows in the database come in vain. */
    int singles() {
        return singles;
    }
}
