/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

/**
 * What the coordinator wants of a seat's process.
 *
 * @param drain to take no new work, and to hand over what it holds
 * @param park to take no new work, and to leave what it holds to the next process of the seat; {@code drain} comes
 *     first
 * @param timeoutMillis how long running work may take to finish before it is given back
 */
public record SeatOrder(boolean drain, boolean park, long timeoutMillis) {

    /** Whether new work may be taken. */
    public boolean works() {
        return !drain && !park;
    }
}
