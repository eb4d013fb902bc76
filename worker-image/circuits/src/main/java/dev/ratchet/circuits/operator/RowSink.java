/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowView;

/** Takes weighted rows; a row is only valid during the call. */
@FunctionalInterface
interface RowSink {

    void push(RowView row, long weight);
}
