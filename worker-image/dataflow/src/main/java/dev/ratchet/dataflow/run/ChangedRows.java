/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.run.RowText;
import dev.ratchet.circuits.sql.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows people some of the rows that a step changed. */
final class ChangedRows {

    private static final int VIEWS_MAX = 3;
    private static final int ROWS_MAX = 3;
    private static final int ROW_LENGTH_MAX = 200;

    private ChangedRows() {}

    /**
     * The first rows, in the order of their columns, that were changed in each of some views, with their weights, such
     * as {@code s: +1 {"k":1}, -1 {"k":2}, and 7 others}.
     *
     * @param views at least those named
     * @param changes by view
     */
    static String shown(List<Relation> views, Set<String> named, Map<String, Batch> changes) {
        return views.stream()
                .filter(view -> named.contains(view.name()))
                .limit(VIEWS_MAX)
                .map(view -> view.name() + ": " + shown(view, changes.get(view.name())))
                .collect(Collectors.joining("; "));
    }

    private static String shown(Relation view, @Nullable Batch changed) {
        if (changed == null) {
            return "nothing";
        }
        RowText text = new RowText(view);
        List<String> rows = new ArrayList<>();
        OrderedRows.visit(changed, (row, weight) -> {
            if (rows.size() < ROWS_MAX) {
                String shown = text.json(row).take();
                rows.add((weight > 0 ? "+" : "") + weight + " "
                        + (shown.length() > ROW_LENGTH_MAX ? shown.substring(0, ROW_LENGTH_MAX) + "…" : shown));
            }
        });
        long others = changed.rowCount() - rows.size();
        return String.join(", ", rows) + (others > 0 ? ", and " + others + " others" : "");
    }
}
