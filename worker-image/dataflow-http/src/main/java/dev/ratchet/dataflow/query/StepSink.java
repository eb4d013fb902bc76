/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.batch.Batch;
import java.io.IOException;

/**
 * Takes what happens to a view, on the thread that follows it, and may let it wait. An IOException says that who reads
 * is gone.
 */
public interface StepSink {

    /** All rows of the view after a step follow; what was told without {@link #complete} before is void. */
    void beginSnapshot(long step) throws IOException, InterruptedException;

    /** Rows that a step changed, with their weights. */
    void rows(long step, Batch rows) throws IOException, InterruptedException;

    /**
     * All that has changed up to a step was told.
     *
     * @param position of the input log up to which the step has all input; empty where it is not known any more
     */
    void complete(long step, String position) throws IOException, InterruptedException;

    /** Nothing, for readers to see that the connection holds: told every few seconds without anything else. */
    void nothing() throws IOException, InterruptedException;
}
