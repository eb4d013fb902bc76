/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.operator.WindowCall.WindowKind;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The calls of one window in parts that are computed one behind the other, so that none reads more of a group than it
 * must: those that see it from the start, those that see some distance, those that see some rows. With a call that sees
 * all of it there is one part. A part has the columns of those before behind the columns of the rows, and orders copies
 * of a row by them: where more than one part tells copies apart, the first part numbers the rows, so that the others
 * find them in this order.
 *
 * @param parts calls of each, those of the first first
 * @param places for each call asked for, how far behind the columns of the rows its column is
 */
public record WindowParts(List<List<WindowCall>> parts, List<Integer> places) {

    private static final WindowCall NUMBER = WindowCall.rank(WindowKind.ROW_NUMBER, ColumnType.of(TypeKind.BIGINT));

    private enum Sight {
        FROM_START,
        DISTANCE,
        ROWS,
        ALL
    }

    /** Parts of calls over rows of these columns in this order. */
    public static WindowParts of(List<WindowCall> calls, List<SortColumn> order, List<ColumnType> columns) {
        TreeMap<Sight, List<WindowCall>> parts = new TreeMap<>();
        for (WindowCall call : calls) {
            parts.computeIfAbsent(sight(call, order, columns), wanted -> new ArrayList<>())
                    .add(call);
        }
        if (parts.size() == 1 || parts.containsKey(Sight.ALL)) {
            return placed(calls, List.of(calls));
        }
        long tellingApart = parts.values().stream()
                .filter(part -> part.stream().anyMatch(WindowParts::tellsCopiesApart))
                .count();
        if (tellingApart > 1) {
            parts.computeIfAbsent(Sight.FROM_START, wanted -> new ArrayList<>()).addFirst(NUMBER);
        }
        return placed(calls, List.copyOf(parts.values()));
    }

    private static WindowParts placed(List<WindowCall> calls, List<List<WindowCall>> parts) {
        List<WindowCall> all = parts.stream().flatMap(List::stream).toList();
        return new WindowParts(parts, calls.stream().map(all::lastIndexOf).toList());
    }

    private static Sight sight(WindowCall call, List<SortColumn> order, List<ColumnType> columns) {
        if (Running.isFor(List.of(call))) {
            return Sight.FROM_START;
        }
        Reach reach = Reach.of(List.of(call), order, columns);
        return reach == null ? Sight.ALL : reach.byValue() ? Sight.DISTANCE : Sight.ROWS;
    }

    /** Whether copies of a row may have different results. */
    private static boolean tellsCopiesApart(WindowCall call) {
        return switch (call.kind()) {
            case RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST -> false;
            case ROW_NUMBER, NTILE, LAG, LEAD -> true;
            case FIRST_VALUE, LAST_VALUE, NTH_VALUE, AGGREGATE -> !call.frame().byValue();
        };
    }
}
