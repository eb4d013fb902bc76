/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

/** SQL without an operator or function here; the compiler finds its place in the query by the name. */
final class UnsupportedSqlException extends RuntimeException {

    private final String operator;

    /** @param operator name of the operator in the query, empty for the whole query */
    UnsupportedSqlException(String operator, String message) {
        super(message);
        this.operator = operator;
    }

    String operator() {
        return operator;
    }
}
