/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.type.ShownSql;
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
        super(message(node, views, cause), cause);
    }

    private static String message(Node node, List<String> views, ArithmeticException cause) {
        String said = String.valueOf(cause.getMessage());
        String what = said.equals(OVERFLOW) ? "a weight, count, time or interval exceeds 64 bits" : said;
        String where = views.isEmpty() ? "" : (views.size() == 1 ? "view " : "views ") + ShownSql.items(views) + ", ";
        String expression = ExpressionFailedException.placeOf(cause);
        String place = expression.isEmpty() ? node.place() : expression;
        where += place.isEmpty() ? "" : place + ", ";
        return what + " (" + where + "operator " + node.number() + ", " + node.kind() + ": " + node.text() + ")";
    }
}
