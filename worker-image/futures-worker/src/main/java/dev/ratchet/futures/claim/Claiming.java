/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.queue.Look;
import dev.ratchet.futures.queue.Look.OtherParts;
import dev.ratchet.futures.queue.QueueReads;
import dev.ratchet.futures.queue.Room;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One claim, over all tries of its transaction: how it looks at the queue, and what its tries have found so far. A try
 * whose outcome is unknown is found again by the nonce. Tries follow each other; used by one thread at a time.
 */
final class Claiming {

    /** Entries of the seat's own queue looked at in one claim, more where there is room for more. */
    private static final int ASSIGNED_MIN = 64;

    /** What a claim is made for. */
    enum Cause {
        /** Room has become free, or time has passed. */
        ROOM,
        /** Somebody may have woken this worker: what for may lie anywhere. */
        WAKE_UP
    }

    private final Room room;
    private final Cause cause;
    private final boolean passesOn;
    private final boolean poolFirst;
    private final long nonce;
    private final Set<FutureId> tried = new LinkedHashSet<>();
    private Optional<Look> look = Optional.empty();
    private int tries;
    private boolean metOthers;
    private boolean leftAssigned;

    /**
     * @param passesOn whether this worker may have been woken for what it has no room for by now
     * @param poolFirst whether the pool comes before the seat's own queue
     */
    Claiming(Room room, Cause cause, boolean passesOn, boolean poolFirst, long nonce) {
        this.room = room;
        this.cause = cause;
        this.passesOn = passesOn;
        this.poolFirst = poolFirst;
        this.nonce = nonce;
    }

    /** The room that it began with, in a copy to count down. */
    Room room() {
        return room.copy();
    }

    boolean passesOn() {
        return passesOn;
    }

    boolean isPoolFirst() {
        return poolFirst;
    }

    long nonce() {
        return nonce;
    }

    /** Entries of the seat's own queue that it looks at. */
    int assignedMax() {
        return Math.max(ASSIGNED_MIN, room.futures());
    }

    /** What it may have claimed in a try whose outcome is unknown. */
    Set<FutureId> tried() {
        return tried;
    }

    /** Another try begins; returns whether the one before met somebody in the parts of others. */
    boolean tryAgainAndMet() {
        tries++;
        boolean met = tries > 1 && hasTakenElsewhere();
        metOthers |= met;
        return met;
    }

    /** Looks at the pool anew, for what is left of the room. */
    Look lookAt(QueueReads reads, Room left) {
        Look begun = new Look(reads, left, cause == Cause.WAKE_UP ? OtherParts.AT_ONCE : OtherParts.OVERDUE);
        look = Optional.of(begun);
        return begun;
    }

    /** So many entries of the seat's own queue were found. */
    void sawAssigned(int count) {
        leftAssigned = count == assignedMax();
    }

    /** Classes of which there is something that it had no room for. */
    Set<String> leftOut() {
        return look.map(Look::leftOut).orElse(Set.of());
    }

    /** Where classes are listed of which nothing waits. */
    List<byte[]> empty() {
        return look.map(Look::empty).orElse(List.of());
    }

    /** Whether it has left some that there was room for: there were many, or others may want them. */
    boolean hasLeftSome() {
        return leftAssigned || look.filter(Look::hasLeftSome).isPresent();
    }

    /** Whether it found anything in the pool, be it void. */
    boolean hasFoundSome() {
        return !look.map(Look::entries).orElse(List.of()).isEmpty();
    }

    /** Whether there may be more of what this worker was woken for: it found some elsewhere, and met nobody there. */
    boolean leavesWakeUpOpen() {
        return cause == Cause.WAKE_UP && !metOthers && hasTakenElsewhere();
    }

    private boolean hasTakenElsewhere() {
        return look.filter(Look::hasTakenElsewhere).isPresent();
    }
}
