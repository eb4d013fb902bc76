/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.Storage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the calls of a window see. What sees a changed row are the rows before it that look so far ahead, and those
 * behind it that look so far back.
 *
 * @param byValue whether distances are of the order column, one of LONG storage, and not numbers of rows
 * @param ahead at least 0
 * @param back at least 0
 */
record Reach(boolean byValue, long ahead, long back) {

    /** A window over more rows than this reads its group as a whole. */
    private static final long ROWS_MAX = 1 << 20;

    /** The reach of all calls together; null where one of them sees to an end of the group, or they differ in kind. */
    static @Nullable Reach of(List<WindowCall> calls, List<SortColumn> order, List<ColumnType> columns) {
        Reach all = null;
        for (WindowCall call : calls) {
            Reach one = of(call);
            if (one == null || (all != null && all.byValue != one.byValue)) {
                return null;
            }
            all = all == null
                    ? one
                    : new Reach(one.byValue, Math.max(all.ahead, one.ahead), Math.max(all.back, one.back));
        }
        boolean ordersByNumber =
                order.size() == 1 && columns.get(order.get(0).column()).storage() == Storage.LONG;
        boolean isUsable = all != null && (all.byValue ? ordersByNumber : Math.max(all.ahead, all.back) <= ROWS_MAX);
        return isUsable ? all : null;
    }

    private static @Nullable Reach of(WindowCall call) {
        return switch (call.kind()) {
            case LAG -> call.ignoreNulls() ? null : new Reach(false, 0, call.number());
            case LEAD -> call.ignoreNulls() ? null : new Reach(false, call.number(), 0);
            case FIRST_VALUE, LAST_VALUE, NTH_VALUE, AGGREGATE -> of(call.frame());
            default -> null;
        };
    }

    private static @Nullable Reach of(WindowFrame frame) {
        boolean isOpen =
                frame.from() == WindowFrame.UNBOUNDED_PRECEDING || frame.to() == WindowFrame.UNBOUNDED_FOLLOWING;
        return isOpen ? null : new Reach(frame.byValue(), Math.max(0, frame.to()), Math.max(0, -frame.from()));
    }
}
