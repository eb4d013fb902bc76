/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowView;

/** Takes rows and their weights one after another; a row is valid during the call. */
@FunctionalInterface
public interface RowVisitor {
    void visit(RowView row, long weight);
}
