/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

/**
 * How long a connection to a worker lives at most, so that its caller's certificate is looked at again.
 *
 * @param maxMillis after so long no call begins over the connection any more
 * @param graceMillis so long the calls that are open then may still take
 */
record ConnectionAge(long maxMillis, long graceMillis) {

    static final ConnectionAge DEFAULT = new ConnectionAge(3_600_000, 1_800_000);

    /** What gRPC is told: it adds or takes up to a tenth of that, so that not all connections end together. */
    long meanMillis() {
        return maxMillis * 10 / 11;
    }
}
