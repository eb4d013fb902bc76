/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.batch.Batch;

/** Is told what happens to one process's share of a view. Calls come one at a time and must not block. */
public interface ShareListener {

    /** The rows after a step; the first call, where a snapshot was asked for. */
    void snapshot(long step, Batch rows);

    /** What a step changed. */
    void changes(long step, Batch rows);

    /** Nothing else has changed up to this step. */
    void progress(long step);

    /** Changes after the step that was asked for are not kept any more: begin with a snapshot. */
    void expired(long oldestStep);

    /** No more follows: the circuit stops or is opened again; follow again after the last step that was told. */
    void ended(String reason);
}
