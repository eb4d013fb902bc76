/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

/**
 * Counts what one operator did in one worker thread. Written by the worker thread; readers between steps see all of it.
 */
final class OperatorMeter {

    long evaluations;
    long rows;
    long bytes;
    long nanos;

    void add(Operator operator, long duration) {
        evaluations++;
        nanos += duration;
        if (operator.hasOutput()) {
            rows += operator.outputRows();
            bytes += operator.outputBytes();
        }
    }
}
