/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;

/** The batch that takes another one back. */
final class BatchTestNegation {

    private BatchTestNegation() {}

    static Batch negate(Batch batch) {
        BatchBuilder builder = new BatchBuilder(batch.schema());
        for (var cursor = batch.cursor(); cursor.valid(); cursor.next()) {
            builder.addRow(cursor, cursor.hash(), -cursor.weight());
        }
        return builder.build();
    }
}
