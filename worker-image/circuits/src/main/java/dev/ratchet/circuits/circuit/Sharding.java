/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.HashRange;

/**
 * Which lane owns which hashes: runs of shards as equal as they can be, so that every lane is one slice of every batch.
 */
public final class Sharding {

    /** A power of two; more lanes would leave some idle. */
    public static final int SHARDS = 1024;

    public static final int LANES_MAX = 256;

    private Sharding() {}

    /** The hashes of a lane among {@code lanes}. */
    public static HashRange range(int lane, int lanes) {
        return HashRange.ofShards(lane * SHARDS / lanes, (lane + 1) * SHARDS / lanes, SHARDS);
    }
}
