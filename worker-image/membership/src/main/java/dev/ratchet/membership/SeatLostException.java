/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

/** This process does not hold its seat any more; it must stop. Nothing that it still wanted to write was written. */
public final class SeatLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String seat;
    private final long incarnation;

    public SeatLostException(String seat, long incarnation, String reason) {
        super("The seat is lost to this process: seat=" + seat + " incarnation=" + incarnation + " reason=" + reason);
        this.seat = seat;
        this.incarnation = incarnation;
    }

    public String seat() {
        return seat;
    }

    public long incarnation() {
        return incarnation;
    }
}
