/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.util.Arrays;

/** The one order of column values: ascending, NULL first and equal to itself. Static loops, one per storage. */
public final class RowOrder {

    private RowOrder() {}

    public static int compare(Storage storage, RowView left, int leftColumn, RowView right, int rightColumn) {
        boolean leftNull = left.isNull(leftColumn);
        if (leftNull || right.isNull(rightColumn)) {
            return Boolean.compare(!leftNull, !right.isNull(rightColumn));
        }
        return switch (storage) {
            case LONG -> Long.compare(left.longAt(leftColumn), right.longAt(rightColumn));
            case WIDE ->
                Wide.compare(
                        left.highAt(leftColumn),
                        left.longAt(leftColumn),
                        right.highAt(rightColumn),
                        right.longAt(rightColumn));
            case BYTES ->
                compareBytes(
                        left.bytesAt(leftColumn),
                        left.offsetAt(leftColumn),
                        left.lengthAt(leftColumn),
                        right.bytesAt(rightColumn),
                        right.offsetAt(rightColumn),
                        right.lengthAt(rightColumn));
        };
    }

    /** Compares columns {@code from} to {@code to} (exclusive) of two rows of one schema. */
    public static int compare(Storage[] storages, RowView left, RowView right, int from, int to) {
        for (int column = from; column < to; column++) {
            int order = compare(storages[column], left, column, right, column);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Unsigned lexicographic order. */
    public static int compareBytes(
            byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
        return Arrays.compareUnsigned(
                left, leftOffset, leftOffset + leftLength, right, rightOffset, rightOffset + rightLength);
    }
}
