/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.observe;

import dev.ratchet.membership.Member;

/**
 * What was seen of one seat: its last beat and when that was first and last seen. Death by silence needs a read that
 * began a whole time to live after the beat was first seen and still found the same one, so a pause of the observer
 * itself never makes anybody dead. Not safe for use by several threads.
 */
final class Observation {

    private long incarnation;
    private long beat = -1;
    private boolean ended;
    private long ttlNanos;
    private long seenNanos;
    private long confirmedNanos;
    private boolean refused;
    private long refusedNanos;
    /** The last beat that may have been sent before the refusal; -1 until a read that began after it. */
    private long beatAtRefusal;

    private boolean refusalProvedWrong;
    private boolean reported;

    /** Takes in what a read showed that ran from {@code startNanos} to {@code endNanos}. */
    void update(Member member, long ownTtlNanos, long startNanos, long endNanos) {
        if (member.incarnation() != incarnation) {
            incarnation = member.incarnation();
            refused = false;
            refusalProvedWrong = false;
            reported = false;
            beat = -1;
        }
        ended = !member.isPresent();
        ttlNanos = Math.max(ownTtlNanos, member.observerTtlMillis() * 1_000_000);
        if (member.beat() != beat) {
            beat = member.beat();
            seenNanos = endNanos;
            confirmedNanos = endNanos;
        } else {
            confirmedNanos = Math.max(confirmedNanos, startNanos);
        }
        if (refused && startNanos - refusedNanos >= 0) {
            checkRefusal();
        }
    }

    /**
     * The address of {@code ofIncarnation} refused a connection at {@code nowNanos}. One that goes on beating is
     * evidently alive, and refusals (by a firewall, say) mean nothing for it any more.
     */
    void connectionRefused(long ofIncarnation, long nowNanos) {
        if (ofIncarnation == incarnation && !refused && !refusalProvedWrong) {
            refused = true;
            refusedNanos = nowNanos;
            beatAtRefusal = -1;
        }
    }

    /**
     * What is read first after the refusal may be the last beat of a process that is gone, and its next one may have
     * been on its way: only the one after that is from somebody who lives.
     */
    private void checkRefusal() {
        if (beatAtRefusal < 0) {
            beatAtRefusal = beat;
        } else if (beat > beatAtRefusal + 1) {
            refused = false;
            refusalProvedWrong = true;
            reported = false;
        }
    }

    boolean isDead(long ofIncarnation) {
        return ofIncarnation < incarnation
                || (ofIncarnation == incarnation && (ended || refused || silentNanos() >= ttlNanos));
    }

    /** How long the beat is known to have stood still. */
    long silentNanos() {
        return confirmedNanos - seenNanos;
    }

    long incarnation() {
        return incarnation;
    }

    /** True once per incarnation, when it is found dead. */
    boolean isNewlyDead() {
        if (reported || !isDead(incarnation)) {
            return false;
        }
        reported = true;
        return true;
    }
}
