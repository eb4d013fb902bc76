/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

/**
 * The numbers of one format that has changed, or will: which of them this release reads, and which it writes. During an
 * upgrade two releases read each other's bytes, so the newest is written only from the level of recorded formats on
 * that came with it. Immutable.
 *
 * @param oldest that is read
 * @param newest that is read and written
 * @param sinceLevel level of recorded formats from which on the newest is written, below it the one before; 1 for all
 */
public record FormatNumbers(int oldest, int newest, int sinceLevel) {

    /** The level of what one release alone writes and reads, or may. */
    public static final int ANY_LEVEL = Integer.MAX_VALUE;

    public FormatNumbers {
        if (oldest < 1 || newest < oldest || sinceLevel < 1 || (sinceLevel > 1 && newest == oldest)) {
            throw new IllegalArgumentException("Formats " + oldest + " to " + newest + ", the newest since level "
                    + sinceLevel + ": below that level the one before it is written, which must be read, too");
        }
    }

    /** What is written while this level is recorded. */
    public int at(int level) {
        return level < sinceLevel ? newest - 1 : newest;
    }

    public boolean reads(int number) {
        return number >= oldest && number <= newest;
    }

    /** Such as {@code 1 to 2}, or {@code 2} alone. */
    @Override
    public String toString() {
        return oldest == newest ? Integer.toString(newest) : oldest + " to " + newest;
    }
}
