/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What each atomic operation makes of a value, to the byte as FoundationDB does at API version 730. Pure; used by the
 * engine when it commits and by a transaction that reads its own writes, so that the two can not differ.
 */
public final class AtomicOperations {

    private AtomicOperations() {}

    /** Whether the type is an operation on what is there, other than by a versionstamp. */
    public static boolean isAtomic(int type) {
        return switch (type) {
            case Mutation.ADD,
                    Mutation.BIT_AND,
                    Mutation.BIT_OR,
                    Mutation.BIT_XOR,
                    Mutation.APPEND_IF_FITS,
                    Mutation.MAX,
                    Mutation.MIN,
                    Mutation.BYTE_MIN,
                    Mutation.BYTE_MAX,
                    Mutation.COMPARE_AND_CLEAR -> true;
            default -> false;
        };
    }

    /**
     * The value after an operation on {@code existing}, each of them null for an absent key.
     *
     * @throws EmbeddedFDBException 2018 for a type that is no atomic operation
     */
    public static byte @Nullable [] apply(int type, byte @Nullable [] existing, byte[] param) {
        return switch (type) {
            case Mutation.SET -> param;
            case Mutation.ADD -> existing == null || existing.length == 0 ? param : add(existing, param);
            case Mutation.BIT_AND -> existing == null ? param : bitwise(type, existing, param);
            case Mutation.BIT_OR, Mutation.BIT_XOR ->
                existing == null || existing.length == 0 ? param : bitwise(type, existing, param);
            case Mutation.APPEND_IF_FITS -> append(existing, param);
            case Mutation.MAX -> existing == null || existing.length == 0 ? param : extreme(existing, param, true);
            case Mutation.MIN -> existing == null ? param : extreme(existing, param, false);
            case Mutation.BYTE_MIN ->
                existing == null || Arrays.compareUnsigned(param, existing) <= 0 ? param : existing;
            case Mutation.BYTE_MAX ->
                existing == null || Arrays.compareUnsigned(param, existing) >= 0 ? param : existing;
            case Mutation.COMPARE_AND_CLEAR -> existing == null || Arrays.equals(existing, param) ? null : existing;
            default -> throw new EmbeddedFDBException(ErrorCode.INVALID_MUTATION_TYPE);
        };
    }

    private static byte[] add(byte[] existing, byte[] param) {
        byte[] sum = new byte[param.length];
        int carry = 0;
        for (int i = 0; i < param.length; i++) {
            int digit = (i < existing.length ? existing[i] & 0xff : 0) + (param[i] & 0xff) + carry;
            sum[i] = (byte) digit;
            carry = digit >>> 8;
        }
        return sum;
    }

    private static byte[] bitwise(int type, byte[] existing, byte[] param) {
        byte[] result = new byte[param.length];
        for (int i = 0; i < param.length; i++) {
            int left = i < existing.length ? existing[i] : 0;
            result[i] = (byte)
                    switch (type) {
                        case Mutation.BIT_AND -> left & param[i];
                        case Mutation.BIT_OR -> left | param[i];
                        default -> left ^ param[i];
                    };
        }
        return result;
    }

    private static byte[] append(byte @Nullable [] existing, byte[] param) {
        if (existing == null || existing.length == 0) {
            return param;
        }
        if (param.length == 0 || existing.length + param.length > Limits.VALUE_BYTES_MAX) {
            return existing;
        }
        byte[] result = Arrays.copyOf(existing, existing.length + param.length);
        System.arraycopy(param, 0, result, existing.length, param.length);
        return result;
    }

    /** The greater or the smaller of two little-endian integers, as long as the parameter. */
    private static byte[] extreme(byte[] existing, byte[] param, boolean greater) {
        byte[] fitted = Arrays.copyOf(existing, param.length);
        for (int i = param.length - 1; i >= 0; i--) {
            int order = Byte.compareUnsigned(fitted[i], param[i]);
            if (order != 0) {
                return (order > 0) == greater ? fitted : param;
            }
        }
        return param;
    }
}
