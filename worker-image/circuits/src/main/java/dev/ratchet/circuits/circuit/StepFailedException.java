/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.List;

/**
 * A step could not be computed: a number overflowed, a divisor was zero, a text was no number, a function of the
 * program threw, a recursion did not end. Says which values they were, which operator it was, which views read it and
 * where the program has the expression. The circuit has ended, to be opened again from its last committed state.
 */
public final class StepFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** What the JDK says of 64 bits; the arithmetic of SQL says more. */
    private static final String OVERFLOW = "long overflow";

    /** A step that would go on without end. */
    StepFailedException(String message) {
        super(message);
    }

    StepFailedException(Node node, List<String> views, ArithmeticException cause) {
        super(message(said(cause), node, views, ExpressionFailedException.placeOf(cause)), cause);
    }

    /** Of the first of some errors, as they are ordered. */
    static StepFailedException of(Batch errors, Plan plan) {
        List<String> messages = new ArrayList<>();
        OrderedRows.visit(errors, (error, weight) -> {
            if (messages.isEmpty()) {
                Node node = plan.allNodes().get((int) error.longAt(0));
                String row = error.stringAt(StepErrors.ROW);
                String what = error.stringAt(StepErrors.MESSAGE)
                        + (row.isEmpty() ? "" : "; it is the " + (row.startsWith("#") ? "row " : "") + row);
                messages.add(message(what, node, plan.viewsOf(node), error.stringAt(StepErrors.PLACE)));
            }
        });
        long others = errors.rowCount() - 1;
        return new StepFailedException(
                messages.get(0) + (others == 0 ? "" : ", and " + others + (others == 1 ? " other" : " others")));
    }

    /** What a failure says, for people. */
    static String said(RuntimeException failure) {
        if (!(failure instanceof ArithmeticException)) {
            return failure.toString();
        }
        String said = String.valueOf(failure.getMessage());
        return said.equals(OVERFLOW) ? "a weight, count, time or interval exceeds 64 bits" : said;
    }

    /** What has happened, and where. */
    static String message(String what, Node node, List<String> views, String expression) {
        String where = views.isEmpty() ? "" : (views.size() == 1 ? "view " : "views ") + ShownSql.items(views) + ", ";
        String place = expression.isEmpty() ? node.place() : expression;
        where += place.isEmpty() ? "" : place + ", ";
        return what + " (" + where + "operator " + node.number() + ", " + node.kind() + ": " + node.text() + ")";
    }
}
