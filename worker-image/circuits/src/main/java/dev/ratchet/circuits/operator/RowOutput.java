/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowWriter;

/** Takes rows one after another. */
public interface RowOutput extends RowWriter {

    /** Hands on the row whose columns were set. */
    void emit();
}
