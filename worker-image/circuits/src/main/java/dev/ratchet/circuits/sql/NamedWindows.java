/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Windows that refine one of the WINDOW clause, {@code (w ROWS 1 PRECEDING)}, written out: the planner forgets the
 * frame of such a window, and the partition where a refined one is refined again.
 */
final class NamedWindows extends SqlShuttle {

    private static final int BASE = 1;
    private static final int PARTITION = 2;
    private static final int ORDER = 3;

    private final Map<String, SqlWindow> known = new HashMap<>();

    private NamedWindows() {}

    static SqlSelect resolve(SqlSelect select) {
        NamedWindows windows = new NamedWindows();
        SqlNodeList declared = select.getWindowList();
        for (int i = 0; i < declared.size(); i++) {
            if (declared.get(i) instanceof SqlWindow window && window.getDeclName() != null) {
                SqlWindow whole = windows.whole(window);
                windows.known.put(lower(window.getDeclName()), whole);
                declared.set(i, whole);
            }
        }
        if (!windows.known.isEmpty()) {
            SqlNodeList items = select.getSelectList();
            for (int i = 0; i < items.size(); i++) {
                items.set(i, items.get(i).accept(windows));
            }
            SqlNode condition = select.getQualify();
            select.setQualify(condition == null ? null : condition.accept(windows));
        }
        return select;
    }

    private static String lower(SqlIdentifier name) {
        return name.getSimple().toLowerCase(Locale.ROOT);
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        if (call instanceof SqlWindow window) {
            return whole(window);
        }
        return call.getKind().belongsTo(SqlKind.QUERY) ? call : super.visit(call);
    }

    /** What may not be refined so stays as it is, for the planner to refuse it. */
    private SqlWindow whole(SqlWindow window) {
        SqlIdentifier name = window.getRefName();
        SqlWindow base = name == null ? null : known.get(lower(name));
        boolean isKnown = base != null
                && base.getRefName() == null
                && base.getLowerBound() == null
                && base.getUpperBound() == null
                && window.getPartitionList().isEmpty()
                && (window.getOrderList().isEmpty() || base.getOrderList().isEmpty());
        if (base == null || !isKnown) {
            return window;
        }
        List<@Nullable SqlNode> parts = new ArrayList<>(window.getOperandList());
        parts.set(BASE, null);
        parts.set(PARTITION, base.getPartitionList());
        parts.set(ORDER, window.getOrderList().isEmpty() ? base.getOrderList() : window.getOrderList());
        return (SqlWindow) window.getOperator()
                .createCall(window.getFunctionQuantifier(), window.getParserPosition(), parts.toArray(SqlNode[]::new));
    }
}
