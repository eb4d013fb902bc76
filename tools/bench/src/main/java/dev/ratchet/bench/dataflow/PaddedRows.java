/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Texts that give rows a size, made from a number alone, so that whoever needs a row again can make it again. */
public final class PaddedRows {

    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final int POOL_BYTES = 1 << 20;
    private static final byte[] POOL = pool();

    private PaddedRows() {}

    /** So many random ASCII letters, of which compression makes no less than three quarters. */
    public static String text(long number, int bytes) {
        int at = (int) Math.floorMod((number * 0x9E3779B97F4A7C15L) >>> 20, (long) POOL_BYTES - bytes);
        return new String(POOL, at, bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] pool() {
        Random random = new Random(1);
        byte[] pool = new byte[POOL_BYTES];
        for (int i = 0; i < POOL_BYTES; i++) {
            pool[i] = (byte) LETTERS.charAt(random.nextInt(LETTERS.length()));
        }
        return pool;
    }
}
