/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import dev.ratchet.client.FutureId;
import java.util.UUID;

/**
 * Ids of blocks and of the futures in them: UUIDs of version 8, which nothing else has. The last 12 bits are the number
 * of a future in its block, and zero in the id of the block, so that either follows from the other without a look at
 * the store, and the futures of a block are neighbours in every table.
 */
public final class BlockIds {

    /** Most futures of one block. */
    public static final int FUTURES_MAX = 1_000;

    private static final int VERSION = 8;
    private static final long NUMBER_BITS = 0xfff;

    private BlockIds() {}

    /** A new block, from random bits. */
    public static FutureId of(UUID random) {
        long high = (random.getMostSignificantBits() & ~0xf000L) | (VERSION << 12);
        return new FutureId(new UUID(high, random.getLeastSignificantBits() & ~NUMBER_BITS));
    }

    /** Whether this is the id of a block, and of no future. */
    public static boolean isBlock(FutureId id) {
        return id.value().version() == VERSION && number(id) == 0;
    }

    /** Whether this is the id of a future that was submitted in a block. */
    public static boolean isInBlock(FutureId id) {
        return id.value().version() == VERSION && number(id) != 0;
    }

    /** Its number, from 1 on. */
    public static int number(FutureId id) {
        return (int) (id.value().getLeastSignificantBits() & NUMBER_BITS);
    }

    /** The block that it was submitted in. */
    public static FutureId blockOf(FutureId id) {
        return new FutureId(
                new UUID(id.value().getMostSignificantBits(), id.value().getLeastSignificantBits() & ~NUMBER_BITS));
    }

    /** Bits that are random also in the ids of blocks, the lowest ones of which are not. */
    public static long spread(FutureId id) {
        long bits = id.value().getLeastSignificantBits();
        return isBlock(id) ? bits >>> Long.bitCount(NUMBER_BITS) : bits;
    }

    /** Whether both were submitted in one block. */
    public static boolean areTogether(FutureId one, FutureId other) {
        return isInBlock(one) && isInBlock(other) && blockOf(one).equals(blockOf(other));
    }

    /** The block that it was submitted in, or the future itself if there is none: what its submitter has sent. */
    public static FutureId sentAs(FutureId id) {
        return isInBlock(id) ? blockOf(id) : id;
    }

    /** One of the futures of a block. */
    public static FutureId future(FutureId block, int number) {
        return new FutureId(
                new UUID(block.value().getMostSignificantBits(), block.value().getLeastSignificantBits() + number));
    }
}
