/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.RowPredicate;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which rows go on. It depends on the columns of the row alone: a step may be computed again elsewhere and must
 * come to the same.
 */
@FunctionalInterface
public interface RowFilter extends RowPredicate {

    /**
     * The function under a name, by which programs on a cluster are known: it stands for what the function does. Who
     * changes what it does changes the name, so that state which the old one made is not taken for the new one's.
     */
    static RowFilter named(String name, RowFilter filter) {
        return new NamedFilter(name, filter);
    }

    /** An equal function for another thread; itself where it keeps nothing between calls. */
    default RowFilter forThread() {
        return this;
    }

    /** What tells it from other functions in pictures and in the ids of operators; equal programs say the same. */
    default String description() {
        return "";
    }

    /** As SQL or in words, for people; ids do not depend on it. */
    default String text() {
        return description();
    }

    /** Whether it fails on no row whatever. */
    default boolean isTotal() {
        return false;
    }

    /** What is so of every row it lets through; others may be so, too. */
    default List<AtMost> atMost() {
        return List.of();
    }

    /**
     * What is so of every row it lets through, neither column being NULL: the one has at least the given function of
     * what the other has, so that a watermark of the other is one of it.
     */
    default List<Monotone> following() {
        return List.of();
    }

    /** The columns that it reads, so that others need not be kept for it; null where that is not known. */
    default @Nullable BitSet columnsRead() {
        return null;
    }

    /** The columns that must not be NULL, where it asks for nothing else; null where it does. */
    @SuppressWarnings("ReturnsNullCollection") // None would be a filter that lets all through.
    default int @Nullable [] columnsPresent() {
        return null;
    }
}
