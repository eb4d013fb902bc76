/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.batch.Batch;
import java.util.Map;

/**
 * Is told what happens to views of the circuit, whole step by whole step. Calls come one at a time, at most as many as
 * were {@linkplain ViewReader.Reading#request requested}, and must not block; the last two end the reading.
 */
public interface ViewListener {

    /** The rows of all views that are read after a step; the first call, where a snapshot was asked for. */
    void snapshot(long step, Map<String, Batch> rows);

    /** What a step changed; views that it did not change are left out. */
    void changes(long step, Map<String, Batch> rows);

    /** Nothing else has changed up to this step. */
    void progress(long step);

    /** Changes after the step that was asked for are not kept any more: begin with a snapshot. */
    void expired(long oldestStep);

    /** The views can not be read on, and why; what to do instead. */
    void failed(String reason);
}
