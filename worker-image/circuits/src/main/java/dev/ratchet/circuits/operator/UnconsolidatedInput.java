/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.circuit.Operator;
import org.jspecify.annotations.Nullable;

/**
 * The change of another operator as unconsolidated rows, copied where it is there only as a batch. One thread at a
 * time.
 */
final class UnconsolidatedInput {

    private final Operator input;
    private @Nullable BatchBuilder copies;

    UnconsolidatedInput(Operator input) {
        this.input = input;
    }

    /** The rows of this step, equal ones perhaps several times; valid until its end. */
    UnconsolidatedRows rows() {
        UnconsolidatedRows unconsolidated = input.unconsolidatedOutput();
        if (unconsolidated != null) {
            return unconsolidated;
        }
        BatchBuilder builder = copies;
        if (builder == null) {
            builder = new BatchBuilder(input.output().schema());
            copies = builder;
        }
        builder.addAll(input.output());
        return builder.unconsolidated();
    }
}
