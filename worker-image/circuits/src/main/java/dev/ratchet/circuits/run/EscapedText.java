/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

/**
 * Strings of JSON (RFC 8259, 7) with escapes, as the UTF-8 that they stand for. It declines what is wrong in them, half
 * of a pair of surrogates, and what is not ASCII, for the JSON library to decide about. One thread at a time.
 */
final class EscapedText {

    /** What may stand behind a backslash, and what it stands for. */
    private static final String ESCAPES = "\"\\/bfnrt";

    private static final String ESCAPED = "\"\\/\b\f\n\r\t";
    private static final int HEX_DIGITS = 4;

    private byte[] text = new byte[64];
    private int length;

    /** The last string that was read, from 0 to {@link #length}; until the next one is. */
    byte[] text() {
        return text;
    }

    int length() {
        return length;
    }

    /**
     * Reads a string.
     *
     * @param from behind its opening quote
     * @param end of what there is to read
     * @return the place of its closing quote; −1 where it is declined
     */
    int read(byte[] bytes, int from, int end) {
        if (text.length < end - from) {
            text = new byte[Math.max(end - from, 2 * text.length)];
        }
        length = 0;
        int at = from;
        while (at < end && bytes[at] != '"') {
            if (bytes[at] < ' ') {
                return -1;
            }
            if (bytes[at] != '\\') {
                text[length++] = bytes[at++];
                continue;
            }
            at = escape(bytes, at + 1, end);
            if (at < 0) {
                return -1;
            }
        }
        return at < end ? at : -1;
    }

    /** Reads what stands behind a backslash and returns what is behind that, or −1. */
    private int escape(byte[] bytes, int at, int end) {
        if (at == end) {
            return -1;
        }
        if (bytes[at] != 'u') {
            int escape = ESCAPES.indexOf(bytes[at]);
            if (escape < 0) {
                return -1;
            }
            text[length++] = (byte) ESCAPED.charAt(escape);
            return at + 1;
        }
        int unit = hex(bytes, at + 1, end);
        int behind = at + 1 + HEX_DIGITS;
        if (unit < 0 || Character.isLowSurrogate((char) unit)) {
            return -1;
        }
        if (!Character.isHighSurrogate((char) unit)) {
            add(unit);
            return behind;
        }
        int low = behind + 1 < end && bytes[behind] == '\\' && bytes[behind + 1] == 'u'
                ? hex(bytes, behind + 2, end)
                : -1;
        if (low < 0 || !Character.isLowSurrogate((char) low)) {
            return -1;
        }
        add(Character.toCodePoint((char) unit, (char) low));
        return behind + 2 + HEX_DIGITS;
    }

    private static int hex(byte[] bytes, int from, int end) {
        if (end - from < HEX_DIGITS) {
            return -1;
        }
        int value = 0;
        for (int at = from; at < from + HEX_DIGITS; at++) {
            int digit = bytes[at] < 0 ? -1 : Character.digit(bytes[at], 16);
            if (digit < 0) {
                return -1;
            }
            value = (value << 4) | digit;
        }
        return value;
    }

    /** Takes no more bytes than its escape has. */
    private void add(int character) {
        if (character < 0x80) {
            text[length++] = (byte) character;
            return;
        }
        if (character < 0x800) {
            text[length++] = (byte) (0xC0 | (character >> 6));
        } else {
            if (character < 0x10000) {
                text[length++] = (byte) (0xE0 | (character >> 12));
            } else {
                text[length++] = (byte) (0xF0 | (character >> 18));
                text[length++] = (byte) (0x80 | ((character >> 12) & 0x3F));
            }
            text[length++] = (byte) (0x80 | ((character >> 6) & 0x3F));
        }
        text[length++] = (byte) (0x80 | (character & 0x3F));
    }
}
