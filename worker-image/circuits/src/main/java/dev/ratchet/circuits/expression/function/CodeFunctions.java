/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/** Digests of text and the ways to write bytes as text. Digits of hexadecimal numbers are small letters. */
public final class CodeFunctions {

    private CodeFunctions() {}

    public static String md5(String text) {
        return digest("MD5", text);
    }

    public static String sha1(String text) {
        return digest("SHA-1", text);
    }

    public static String sha256(String text) {
        return digest("SHA-256", text);
    }

    public static String sha512(String text) {
        return digest("SHA-512", text);
    }

    private static String digest(String algorithm, String text) {
        try {
            byte[] digest = MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no " + algorithm, e);
        }
    }

    public static String toHex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    public static byte[] fromHex(String text) {
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new ArithmeticException("'" + text + "' is not an even number of hexadecimal digits");
        }
    }

    /** Up to four bytes as a number, the first the highest; of four the first bit is the sign. */
    public static long toInt(byte[] bytes) {
        if (bytes.length > Integer.BYTES) {
            throw new ArithmeticException("TO_INT of " + bytes.length + " bytes; an INTEGER has " + Integer.BYTES);
        }
        long number = 0;
        for (byte next : bytes) {
            number = (number << Byte.SIZE) | (next & 0xff);
        }
        return bytes.length == Integer.BYTES ? (int) number : number;
    }

    public static String toBase64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    public static byte[] fromBase64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new ArithmeticException("'" + text + "' is not Base64: " + e.getMessage());
        }
    }
}
