/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;

/** Whether a process may take a seat, decided from the seat's record and what was observed of its holder. Pure. */
enum TakeOver {
    /** The seat is free, or its holder is known to be gone: the process takes the next incarnation. */
    TAKE,
    /** The record is this very process's own: its registration was committed although the outcome was not reported. */
    ALREADY_MINE,
    /** Somebody else may hold the seat and live. Wait; asking the newcomer to die would only have it restarted. */
    BUSY,
    /** A member is there with which this process has no protocol in common. Wait: it may be upgraded. */
    INCOMPATIBLE,
    /** The recorded formats were raised beyond what this process reads. Only another release may take the seat. */
    OUTDATED,
    /** A younger process of the same pod took the seat: this one is a relic. */
    SUPERSEDED;

    /**
     * Of one pod, the higher boot number proves the lower one dead, because a lock admits one process at a time. The
     * holder's own address proves it dead too: this process listens there alone.
     *
     * @param record of the seat; incarnation 0 if it was never taken
     * @param holderDead whether the recorded incarnation was observed to be dead
     */
    static TakeOver decide(MemberRecord record, WorkerDescription me, boolean holderDead) {
        if (record.getIncarnation() == 0) {
            return TAKE;
        }
        if (record.getBootNonce() == me.bootNonce()) {
            return ALREADY_MINE;
        }
        if (record.getPodUid().equals(me.podUid())) {
            return record.getBootNumber() < me.bootNumber() ? TAKE : SUPERSEDED;
        }
        boolean gone =
                record.getState() == State.STATE_MUST_DIE || record.getAddress().equals(me.address()) || holderDead;
        return gone ? TAKE : BUSY;
    }
}
