/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.HashRange;
import java.util.Arrays;

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
        return HashRange.ofShards(first(lane, lanes), first(lane + 1, lanes), SHARDS);
    }

    /** The lane of each shard among {@code lanes}. */
    static int[] owners(int lanes) {
        int[] owners = new int[SHARDS];
        for (int lane = 0; lane < lanes; lane++) {
            Arrays.fill(owners, first(lane, lanes), first(lane + 1, lanes), lane);
        }
        return owners;
    }

    private static int first(int lane, int lanes) {
        return lane * SHARDS / lanes;
    }
}
