/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The published 64-bit hash XXH64 over bytes: pinned by its own test vectors, the same on every machine. */
final class XxHash64 {

    static final long PRIME_1 = 0x9E3779B185EBCA87L;
    static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
    static final long PRIME_3 = 0x165667B19E3779F9L;
    static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
    static final long PRIME_5 = 0x27D4EB2F165667C5L;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private XxHash64() {}

    static long hash(byte[] bytes, int offset, int length, long seed) {
        int at = offset;
        int end = offset + length;
        long hash;
        if (length >= 32) {
            long a = seed + PRIME_1 + PRIME_2;
            long b = seed + PRIME_2;
            long c = seed;
            long d = seed - PRIME_1;
            for (; at <= end - 32; at += 32) {
                a = round(a, (long) LONGS.get(bytes, at));
                b = round(b, (long) LONGS.get(bytes, at + 8));
                c = round(c, (long) LONGS.get(bytes, at + 16));
                d = round(d, (long) LONGS.get(bytes, at + 24));
            }
            hash = Long.rotateLeft(a, 1) + Long.rotateLeft(b, 7) + Long.rotateLeft(c, 12) + Long.rotateLeft(d, 18);
            hash = fold(fold(fold(fold(hash, a), b), c), d);
        } else {
            hash = seed + PRIME_5;
        }
        return avalanche(tail(hash + length, bytes, at, end));
    }

    private static long tail(long start, byte[] bytes, int from, int end) {
        long hash = start;
        int at = from;
        for (; at <= end - 8; at += 8) {
            hash = lane(hash, (long) LONGS.get(bytes, at));
        }
        if (at <= end - 4) {
            hash ^= ((int) INTS.get(bytes, at) & 0xFFFFFFFFL) * PRIME_1;
            hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
            at += 4;
        }
        for (; at < end; at++) {
            hash = Long.rotateLeft(hash ^ (bytes[at] & 0xFF) * PRIME_5, 11) * PRIME_1;
        }
        return hash;
    }

    /** Takes in eight bytes. */
    static long lane(long hash, long value) {
        return Long.rotateLeft(hash ^ round(0, value), 27) * PRIME_1 + PRIME_4;
    }

    private static long round(long accumulator, long value) {
        return Long.rotateLeft(accumulator + value * PRIME_2, 31) * PRIME_1;
    }

    private static long fold(long hash, long accumulator) {
        return (hash ^ round(0, accumulator)) * PRIME_1 + PRIME_4;
    }

    static long avalanche(long value) {
        long hash = value;
        hash = (hash ^ (hash >>> 33)) * PRIME_2;
        hash = (hash ^ (hash >>> 29)) * PRIME_3;
        return hash ^ (hash >>> 32);
    }
}
