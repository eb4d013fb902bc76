/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.operator.Aggregate;
import dev.ratchet.circuits.operator.PipeStage;
import dev.ratchet.circuits.operator.RowFilter;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What is known of rows that are taken back: each goes in the same step in which a row comes that has equal values in
 * some columns and at least as large ones in others, where NULL is the smallest. So do counts and maxima of rows that
 * only come. A maximum of those never sinks: it needs no more of its group than the largest value so far. Immutable.
 *
 * @param same columns that are as they were
 * @param columns that are not smaller than they were; none where nothing is known
 * @param isKey whether no two rows that are there are equal in all of the columns that stay the same
 */
record Rising(Set<Integer> same, Set<Integer> columns, boolean isKey) {

    static final Rising NONE = new Rising(Set.of(), Set.of(), false);

    Rising {
        same = Set.copyOf(same);
        columns = Set.copyOf(columns);
    }

    /** Of groups: the columns of the group, then one per call. */
    static Rising ofGroups(Aggregate.Spec spec) {
        Set<Integer> same = new HashSet<>();
        Set<Integer> columns = new HashSet<>();
        IntStream.range(0, spec.keyCount()).forEach(same::add);
        for (int i = 0; i < spec.calls().size(); i++) {
            if (spec.neverSinks(spec.calls().get(i))) {
                columns.add(spec.keyCount() + i);
            }
        }
        return columns.isEmpty() ? NONE : new Rising(same, columns, true);
    }

    /**
     * After a stage that is run over the rows. A filter lets both the row that goes and the one that comes through, or
     * neither, where it looks at nothing else than what they have in common.
     */
    Rising through(PipeStage stage) {
        if (columns.isEmpty()) {
            return NONE;
        }
        return switch (stage) {
            case PipeStage.Project project -> selected(project.columns());
            case PipeStage.Filter filter -> readsOnlySame(filter.filter()) ? this : NONE;
            default -> NONE;
        };
    }

    private boolean readsOnlySame(RowFilter filter) {
        BitSet read = filter.columnsRead();
        return read != null && read.stream().allMatch(same::contains);
    }

    /** Of rows made of some of the columns. */
    private Rising selected(List<Integer> of) {
        Set<Integer> keptSame = new HashSet<>();
        Set<Integer> kept = new HashSet<>();
        for (int column = 0; column < of.size(); column++) {
            if (same.contains(of.get(column))) {
                keptSame.add(column);
            } else if (columns.contains(of.get(column))) {
                kept.add(column);
            }
        }
        return new Rising(keptSame, kept, isKey && of.containsAll(same));
    }

    /** Whether the maximum of a column in groups by others never sinks. */
    boolean risesWithin(List<Integer> group, int column) {
        return columns.contains(column) && same.containsAll(group);
    }

    /** Whether there is at most one row for each value of some columns, and a column of it never sinks. */
    boolean isOneRowThatRises(List<Integer> key, int column) {
        return isKey && key.containsAll(same) && risesWithin(key, column);
    }
}
