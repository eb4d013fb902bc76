/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

/** What an expression of a program says of a row that it can not compute, and where the program has the expression. */
public final class ExpressionFailedException extends ArithmeticException {

    private static final long serialVersionUID = 1;

    private final String place;

    /** @param place for people, such as {@code query at line 3, column 18} */
    public ExpressionFailedException(ArithmeticException cause, String place) {
        super(cause.getMessage());
        initCause(cause);
        this.place = place;
    }

    /** The place in or below a failure; empty where none is known. */
    static String placeOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ExpressionFailedException failed) {
                return failed.place;
            }
        }
        return "";
    }
}
