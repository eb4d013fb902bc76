/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.Arrays;

/**
 * Compares the keys of many rows with those of guessed ones elsewhere, column after column: such a loop waits for many
 * places in memory at once, where a comparison row by row waits for one after the other. A column that is NULL has the
 * number 0 or no bytes.
 */
final class KeyMatch {

    private final RowVectors table;
    private final RowVectors keys;
    private final int first;

    /** @param first the number of the first key */
    KeyMatch(RowVectors table, RowVectors keys, int first) {
        this.table = table;
        this.keys = keys;
        this.first = first;
    }

    /**
     * Lets only right guesses stand.
     *
     * @param guesses for each key in turn the number of a row, or -1, which all that are wrong become
     */
    void verify(int[] guesses, int count) {
        verifyLongs(table.hashes, keys.hashes, guesses, count);
        for (int column = 0; column < table.schema.keyCount(); column++) {
            verifyNulls(table.nulls[column], keys.nulls[column], guesses, count);
            switch (table.storages[column]) {
                case LONG -> verifyLongs(table.lows[column], keys.lows[column], guesses, count);
                case WIDE -> {
                    verifyLongs(table.lows[column], keys.lows[column], guesses, count);
                    verifyLongs(table.highs[column], keys.highs[column], guesses, count);
                }
                case BYTES -> verifyBytes(column, guesses, count);
            }
        }
    }

    private void verifyLongs(long[] known, long[] wanted, int[] guesses, int count) {
        for (int i = 0; i < count; i++) {
            int guess = guesses[i];
            guesses[i] = known[Math.max(guess, 0)] == wanted[first + i] ? guess : -1;
        }
    }

    private void verifyNulls(boolean[] known, boolean[] wanted, int[] guesses, int count) {
        for (int i = 0; i < count; i++) {
            int guess = guesses[i];
            guesses[i] = known[Math.max(guess, 0)] == wanted[first + i] ? guess : -1;
        }
    }

    private void verifyBytes(int column, int[] guesses, int count) {
        byte[] known = table.pools[column];
        int[] knownStarts = table.starts[column];
        int[] knownLengths = table.lengths[column];
        byte[] wanted = keys.pools[column];
        int[] wantedStarts = keys.starts[column];
        int[] wantedLengths = keys.lengths[column];
        for (int i = 0; i < count; i++) {
            int guess = guesses[i];
            int length = wantedLengths[first + i];
            if (guess >= 0) {
                int start = knownStarts[guess];
                int wantedStart = wantedStarts[first + i];
                boolean isSame = knownLengths[guess] == length
                        && Arrays.equals(known, start, start + length, wanted, wantedStart, wantedStart + length);
                guesses[i] = isSame ? guess : -1;
            }
        }
    }
}
