/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowView;

/** Takes weighted rows; a row is only valid during the call. */
@FunctionalInterface
interface RowSink {

    void push(RowView row, long weight);

    /**
     * Takes an error in place of rows that can not be computed.
     *
     * @param row what they are computed from, as {@link Rows#text} or {@link Rows#groupText} tell it
     * @param weight that they would have
     */
    default void fail(RuntimeException failure, String row, long weight) {
        throw failure;
    }
}
