/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Owns the order of seats: by number, not by letters. */
final class Seats {
    static final Comparator<String> BY_NUMBER =
            Comparator.comparingInt(Seats::ordinal).thenComparing(Comparator.naturalOrder());

    private Seats() {}

    /** The number at the end of a seat's name; the largest for a name that has none. */
    static int ordinal(String seat) {
        try {
            return Integer.parseInt(seat.substring(seat.lastIndexOf('-') + 1));
        } catch (NumberFormatException foreign) {
            return Integer.MAX_VALUE;
        }
    }

    static String name(String cluster, int ordinal) {
        return Names.seat(cluster, Names.POOL, ordinal);
    }

    static NavigableSet<String> empty() {
        return new TreeSet<>(BY_NUMBER);
    }

    static NavigableMap<String, String> members() {
        return new TreeMap<>(BY_NUMBER);
    }

    static NavigableSet<String> copy(Iterable<String> seats) {
        NavigableSet<String> copy = empty();
        seats.forEach(copy::add);
        return copy;
    }
}
