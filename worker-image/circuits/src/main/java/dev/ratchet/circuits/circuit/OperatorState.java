/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.trace.TraceSettings;
import dev.ratchet.circuits.type.RowSchema;

/**
 * Gives operators the traces they keep. A name is stable as long as the operator is; together the worker threads'
 * traces of one name are its state, so that any number of worker threads can take it up, each its ranges of hashes.
 */
@FunctionalInterface
public interface OperatorState {

    /** State that lives as long as the circuit, in memory. */
    OperatorState IN_MEMORY = (name, schema, ranges) -> new Trace(schema, TraceSettings.IN_MEMORY);

    /** The trace of a name, with the rows in a worker thread's ranges that were committed under it. */
    Trace trace(String name, RowSchema schema, HashRanges ranges);
}
