/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.Storage;
import java.util.Arrays;

/** Copies rows from arrays into others, column after column, and commits them. */
final class RowCopies {

    private final RowVectors into;
    private final RowVectors from;
    private final int more;
    private final int first;

    private RowCopies(RowVectors into, RowVectors from, int more) {
        this.into = into;
        this.from = from;
        this.more = more;
        this.first = into.room(more);
    }

    /** Copies rows of the same schema. */
    static void append(RowVectors into, UnconsolidatedPart part) {
        RowCopies copies = new RowCopies(into, part.rows(), part.count());
        System.arraycopy(part.hashes, 0, into.hashes, copies.first, copies.more);
        System.arraycopy(part.weights, 0, into.weights, copies.first, copies.more);
        for (int column = 0; column < into.storages.length; column++) {
            copies.gather(column, column, part.numbers);
        }
        into.commitAll(copies.more);
    }

    /** Copies rows of the same schema that follow each other, with their hashes. */
    static void append(RowVectors into, RowVectors from, int begin, int end) {
        RowCopies copies = new RowCopies(into, from, end - begin);
        System.arraycopy(from.hashes, begin, into.hashes, copies.first, copies.more);
        System.arraycopy(from.weights, begin, into.weights, copies.first, copies.more);
        for (int column = 0; column < into.storages.length; column++) {
            copies.copy(column, begin);
        }
        into.commitAll(copies.more);
    }

    /**
     * Makes rows that have columns of others.
     *
     * @param places for each column that of the others, or under 0 where it is to be set
     */
    static void append(RowVectors into, RowVectors from, int[] numbers, int[] places, long weight) {
        RowCopies copies = new RowCopies(into, from, numbers.length);
        int end = copies.first + copies.more;
        Arrays.fill(into.weights, copies.first, end, weight);
        for (int column = 0; column < into.storages.length; column++) {
            if (places[column] >= 0) {
                copies.gather(column, places[column], numbers);
            } else if (into.storages[column] == Storage.BYTES) {
                Arrays.fill(into.lengths[column], copies.first, end, 0);
            }
        }
        into.commitUnhashed(copies.more);
    }

    private void copy(int column, int begin) {
        System.arraycopy(from.nulls[column], begin, into.nulls[column], first, more);
        switch (into.storages[column]) {
            case LONG -> System.arraycopy(from.lows[column], begin, into.lows[column], first, more);
            case WIDE -> {
                System.arraycopy(from.lows[column], begin, into.lows[column], first, more);
                System.arraycopy(from.highs[column], begin, into.highs[column], first, more);
            }
            case BYTES -> copyBytes(column, begin);
        }
    }

    /** Bytes of rows that follow each other most often do so, too. */
    private void copyBytes(int column, int begin) {
        int[] starts = from.starts[column];
        int[] lengths = from.lengths[column];
        long total = 0;
        boolean isWhole = true;
        for (int row = begin; row < begin + more; row++) {
            isWhole &= starts[row] == starts[begin] + total;
            total += lengths[row];
        }
        int used = into.poolRoom(column, total);
        byte[] pool = into.pools[column];
        if (isWhole && more > 0) {
            System.arraycopy(from.pools[column], starts[begin], pool, used, (int) total);
        }
        for (int i = 0; i < more; i++) {
            int length = lengths[begin + i];
            if (!isWhole) {
                System.arraycopy(from.pools[column], starts[begin + i], pool, used, length);
            }
            into.starts[column][first + i] = used;
            into.lengths[column][first + i] = length;
            used += length;
        }
    }

    private void gather(int column, int place, int[] numbers) {
        boolean[] isNull = from.nulls[place];
        boolean[] nulls = into.nulls[column];
        for (int i = 0; i < more; i++) {
            nulls[first + i] = isNull[numbers[i]];
        }
        if (into.storages[column] == Storage.BYTES) {
            gatherBytes(column, place, numbers);
            return;
        }
        gatherLongs(into.lows[column], from.lows[place], numbers);
        if (into.storages[column] == Storage.WIDE) {
            gatherLongs(into.highs[column], from.highs[place], numbers);
        }
    }

    private void gatherLongs(long[] copies, long[] longs, int[] numbers) {
        for (int i = 0; i < more; i++) {
            copies[first + i] = longs[numbers[i]];
        }
    }

    private void gatherBytes(int column, int place, int[] numbers) {
        byte[] source = from.pools[place];
        int[] starts = from.starts[place];
        int[] lengths = from.lengths[place];
        long total = 0;
        for (int i = 0; i < more; i++) {
            total += lengths[numbers[i]];
        }
        int used = into.poolRoom(column, total);
        byte[] pool = into.pools[column];
        for (int i = 0; i < more; i++) {
            int length = lengths[numbers[i]];
            System.arraycopy(source, starts[numbers[i]], pool, used, length);
            into.starts[column][first + i] = used;
            into.lengths[column][first + i] = length;
            used += length;
        }
    }
}
