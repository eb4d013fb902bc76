/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.nexmark;

import java.util.Random;

/** Random texts as Beam draws them, number for number, so that events are equal to Beam's. */
final class NexmarkText {

    private static final int LENGTH_MIN = 3;
    private static final int ONE_IN_BLANKS = 13;
    private static final int LETTERS = 26;
    private static final int LETTERS_PER_DRAW = 6;

    private NexmarkText() {}

    /** Words of at least three and fewer than {@code lengthBound} letters in all. */
    static String words(Random random, int lengthBound) {
        return words(random, lengthBound, ' ').trim();
    }

    static String words(Random random, int lengthBound, char blank) {
        int length = LENGTH_MIN + random.nextInt(lengthBound - LENGTH_MIN);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(random.nextInt(ONE_IN_BLANKS) == 0 ? blank : (char) ('a' + random.nextInt(LETTERS)));
        }
        return text.toString();
    }

    /**
     * Fills a row of so many bytes up to about its usual size, give or take a fifth. As in Beam a negative draw gives
     * characters before 'a'; what they are does not matter, their number does.
     */
    static String padding(Random random, int bytes, int bytesUsual) {
        if (bytes > bytesUsual) {
            return "";
        }
        int missing = bytesUsual - bytes;
        int spread = (int) Math.round(missing * 0.2);
        char[] text = new char[missing - spread + (spread == 0 ? 0 : random.nextInt(2 * spread))];
        int drawn = 0;
        for (int i = 0; i < text.length; i++) {
            if (i % LETTERS_PER_DRAW == 0) {
                drawn = random.nextInt();
            }
            text[i] = (char) ('a' + drawn % LETTERS);
            drawn /= LETTERS;
        }
        return new String(text);
    }
}
