/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

/**
 * Times and limits of the exchange. The processes of a circuit need not agree on them, save that a peer which pings
 * less often than another one waits for it is taken for lost.
 *
 * @param frameLimitBytes longest frame that is sent or accepted
 * @param pingMillis after so long without anything to send a ping goes out
 * @param silentMillis a connection over which nothing has arrived for so long is cut
 * @param reconnectMillis a peer without a connection for so long is lost
 * @param joinMillis a peer that has not joined a run for so long is lost
 */
public record ExchangeSettings(
        int frameLimitBytes, int pingMillis, int silentMillis, int reconnectMillis, int joinMillis) {

    private static final int LONGEST_FRAME_BYTES = 1 << 30;

    /** What workers use. */
    public static ExchangeSettings defaults() {
        return new ExchangeSettings(LONGEST_FRAME_BYTES, 500, 4_000, 4_000, 30_000);
    }

    /** @throws IllegalArgumentException if a number is not positive, or pings come too late to be heard */
    public ExchangeSettings {
        if (frameLimitBytes < 1 || pingMillis < 1 || reconnectMillis < 1 || joinMillis < 1) {
            throw new IllegalArgumentException("Every limit of the exchange must be positive");
        }
        if (silentMillis < 2 * pingMillis) {
            throw new IllegalArgumentException("A connection is cut after " + silentMillis
                    + " ms of silence, which leaves no room for pings every " + pingMillis + " ms");
        }
    }
}
