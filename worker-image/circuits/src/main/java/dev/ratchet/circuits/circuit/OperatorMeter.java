/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;

/** Counts what one operator did in one lane. Written by the lane; readers between steps see all of it. */
final class OperatorMeter {

    long evaluations;
    long rows;
    long bytes;
    long nanos;

    void add(Batch output, long duration) {
        evaluations++;
        nanos += duration;
        if (!output.isEmpty()) {
            rows += output.rowCount();
            bytes += output.byteCount();
        }
    }
}
