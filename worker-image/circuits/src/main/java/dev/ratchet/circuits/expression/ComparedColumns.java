/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.expression.Expression.And;
import dev.ratchet.circuits.expression.Expression.Call;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.operator.AtMost;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;

/** Finds which columns a condition compares by number, so that a join need not read rows that can not meet it. */
final class ComparedColumns {

    private ComparedColumns() {}

    /** What is so wherever the condition is true. */
    static List<AtMost> of(Expression condition) {
        List<AtMost> found = new ArrayList<>();
        find(condition, found);
        return List.copyOf(found);
    }

    private static void find(Expression condition, List<AtMost> found) {
        if (condition instanceof And and) {
            and.parts().forEach(part -> find(part, found));
        } else if (condition instanceof Call call && isCallOf(call, "less")) {
            add(call, 0, 1, found);
        } else if (condition instanceof Call call
                && isCallOf(call, "not")
                && call.arguments().get(0) instanceof Call negated
                && isCallOf(negated, "less")) {
            add(negated, 1, 0, found);
        }
    }

    private static boolean isCallOf(Call call, String name) {
        return call.method().getDeclaringClass() == IntegerFunctions.class
                && call.method().getName().equals(name);
    }

    private static void add(Call call, int lesser, int greater, List<AtMost> found) {
        if (call.arguments().get(lesser) instanceof Column one
                && call.arguments().get(greater) instanceof Column two
                && one.type().storage() == Storage.LONG
                && two.type().storage() == Storage.LONG) {
            found.add(new AtMost(one.index(), two.index()));
        }
    }
}
