/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.expression.Expression.And;
import dev.ratchet.circuits.expression.Expression.Call;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.operator.AtMost;
import dev.ratchet.circuits.operator.Monotone;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;

/** Finds what a condition compares by number, so that a join need not read, or keep, rows that can not meet it. */
final class ComparedColumns {

    /** One is at most the other wherever the condition is true, and neither is NULL. */
    private record Compared(Expression lesser, Expression greater) {}

    private ComparedColumns() {}

    /** Which columns are at most which others wherever the condition is true. */
    static List<AtMost> atMost(Expression condition) {
        List<AtMost> found = new ArrayList<>();
        for (Compared pair : compared(condition)) {
            if (pair.lesser instanceof Column one
                    && pair.greater instanceof Column two
                    && one.type().storage() == Storage.LONG
                    && two.type().storage() == Storage.LONG) {
                found.add(new AtMost(one.index(), two.index()));
            }
        }
        return List.copyOf(found);
    }

    /** Which columns are at least a rising function of others wherever the condition is true. */
    static List<Monotone> following(Expression condition) {
        List<Monotone> found = new ArrayList<>();
        for (Compared pair : compared(condition)) {
            List<Monotone> lesser = MonotoneColumns.of(List.of(pair.lesser));
            MonotoneColumns.Shifted greater = MonotoneColumns.shifted(pair.greater);
            if (!lesser.isEmpty() && greater != null) {
                Monotone from = lesser.get(0);
                found.add(
                        new Monotone(greater.column(), from.from(), from.bound().andThen(greater::columnOf)));
            }
        }
        return List.copyOf(found);
    }

    private static List<Compared> compared(Expression condition) {
        List<Compared> found = new ArrayList<>();
        find(condition, found);
        return found;
    }

    private static void find(Expression condition, List<Compared> found) {
        if (condition instanceof And and) {
            and.parts().forEach(part -> find(part, found));
        } else if (condition instanceof Call call && isCallOf(call, "less")) {
            found.add(new Compared(call.arguments().get(0), call.arguments().get(1)));
        } else if (condition instanceof Call call
                && isCallOf(call, "not")
                && call.arguments().get(0) instanceof Call negated
                && isCallOf(negated, "less")) {
            found.add(
                    new Compared(negated.arguments().get(1), negated.arguments().get(0)));
        }
    }

    private static boolean isCallOf(Call call, String name) {
        return call.method().getDeclaringClass() == IntegerFunctions.class
                && call.method().getName().equals(name);
    }
}
