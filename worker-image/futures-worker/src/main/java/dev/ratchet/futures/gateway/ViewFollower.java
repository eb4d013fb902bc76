/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.client.ViewRow;

/**
 * Takes what happens to a view, for one client. Each call waits while the client takes nothing, and fails with a
 * StatusRuntimeException where that is over. One thread.
 */
public interface ViewFollower {

    /** All rows of the view after a step follow; what was told without {@link #complete} before is void. */
    void beginSnapshot();

    /** A row that came, so many times, or left, with a negative weight. */
    void row(ViewRow row, long weight);

    /**
     * All that has changed up to a step was told.
     *
     * @param position of the input log up to which the step has all input; empty where it is not known any more
     */
    void complete(long step, String position);

    /** Whether the client is gone. */
    boolean hasEnded();
}
