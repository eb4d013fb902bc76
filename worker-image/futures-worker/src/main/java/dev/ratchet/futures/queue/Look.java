/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One look at the queue: for which room it looks, and what it has found. Its answers hold once the look is over; they
 * are about what was there then, whatever became of it.
 */
public final class Look {

    /** Classes that there was no room for and that are remembered. */
    private static final int LEFT_OUT_MAX = 100;

    /** Where a look that finds nothing in the reader's own part goes on. */
    public enum OtherParts {
        /** Where others have let something lie for a while. */
        OVERDUE,
        /** Anywhere, though others may be about to take it. */
        AT_ONCE
    }

    private final QueueReads reads;
    private final Room room;
    private final OtherParts otherParts;
    private final List<QueueEntry> entries = new ArrayList<>();
    private final Set<String> leftOut = ConcurrentHashMap.newKeySet();
    private final List<byte[]> empty = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean leftSome;
    private volatile boolean tookElsewhere;

    public Look(QueueReads reads, Room room, OtherParts otherParts) {
        this.reads = reads;
        this.room = room;
        this.otherParts = otherParts;
    }

    QueueReads reads() {
        return reads;
    }

    /** What is left of the room. */
    Room room() {
        return room;
    }

    boolean takesOtherPartsAtOnce() {
        return otherParts == OtherParts.AT_ONCE;
    }

    void take(List<QueueEntry> some) {
        entries.addAll(some);
    }

    /** There is no room for this class, of which there is something. */
    void leaveOut(String requirementClass) {
        if (leftOut.size() < LEFT_OUT_MAX) {
            leftOut.add(requirementClass);
        }
    }

    /** Nothing waits of the class that is listed here. */
    void foundEmpty(byte[] place) {
        empty.add(place);
    }

    /** Where classes are listed of which nothing waits. */
    public List<byte[]> empty() {
        synchronized (empty) {
            return List.copyOf(empty);
        }
    }

    /** So many entries were taken in the parts of others, of those that there was room for. */
    void tookElsewhere(int taken, int permitted, int room) {
        tookElsewhere |= taken > 0;
        leftSome |= taken == permitted && permitted < room;
    }

    /** Entries for which there is room; some may be void. */
    public List<QueueEntry> entries() {
        return entries;
    }

    /** Whether it took something in the parts of others. */
    public boolean hasTakenElsewhere() {
        return tookElsewhere;
    }

    /** Whether it has left there what it had room for. */
    public boolean hasLeftSome() {
        return leftSome;
    }

    /** Some classes of which it saw something that there was no room for. */
    public Set<String> leftOut() {
        return Set.copyOf(leftOut);
    }
}
