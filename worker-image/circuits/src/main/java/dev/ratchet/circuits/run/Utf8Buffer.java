/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Text that grows as the bytes it is written as. Up to 2 GB; one thread at a time. */
final class Utf8Buffer {

    private static final int LONG_DIGITS_MAX = 20;

    private byte[] bytes = new byte[256];
    private int length;

    int length() {
        return length;
    }

    byte byteAt(int position) {
        return bytes[position];
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(
                    bytes, Math.max(Math.addExact(length, more), (int) Math.min(2L * bytes.length, 1 << 30)));
        }
    }

    Utf8Buffer append(String text) {
        return append(text.getBytes(StandardCharsets.UTF_8));
    }

    Utf8Buffer append(byte[] utf8) {
        return append(utf8, 0, utf8.length);
    }

    Utf8Buffer append(byte[] utf8, int from, int count) {
        ensure(count);
        System.arraycopy(utf8, from, bytes, length, count);
        length += count;
        return this;
    }

    Utf8Buffer append(Utf8Buffer other) {
        return append(other.bytes, 0, other.length);
    }

    /** Appends a character of ASCII. */
    Utf8Buffer append(char ascii) {
        ensure(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    Utf8Buffer append(boolean value) {
        return append(value ? "true" : "false");
    }

    Utf8Buffer append(long number) {
        if (number == Long.MIN_VALUE) {
            return append(Long.toString(number));
        }
        ensure(LONG_DIGITS_MAX);
        if (number < 0) {
            bytes[length++] = '-';
        }
        long rest = Math.abs(number);
        int digits = 1;
        for (long bound = 10; digits < LONG_DIGITS_MAX - 1 && rest >= bound; bound *= 10) {
            digits++;
        }
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    /** Appends a JSON string. */
    Utf8Buffer quote(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return quote(utf8, 0, utf8.length);
    }

    /** Appends a JSON string of UTF-8 bytes. */
    Utf8Buffer quote(byte[] utf8, int from, int count) {
        append('"');
        int start = from;
        for (int at = from; at < from + count; at++) {
            byte b = utf8[at];
            if (b == '"' || b == '\\' || (b >= 0 && b < ' ')) {
                append(utf8, start, at - start);
                escape((char) b);
                start = at + 1;
            }
        }
        return append(utf8, start, from + count - start).append('"');
    }

    private void escape(char c) {
        switch (c) {
            case '"' -> append("\\\"");
            case '\\' -> append("\\\\");
            case '\n' -> append("\\n");
            case '\r' -> append("\\r");
            case '\t' -> append("\\t");
            case '\b' -> append("\\b");
            case '\f' -> append("\\f");
            default -> append(String.format("\\u%04x", (int) c));
        }
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Returns the text and starts anew. */
    String take() {
        String taken = toString();
        length = 0;
        return taken;
    }

    /** Writes the text and starts anew. */
    void drainTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
        length = 0;
    }
}
