/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.futures.v1.FutureRecord;

/** Is told of futures that have become done, as far as this worker knows; on any thread, must not block. */
@FunctionalInterface
public interface OutcomeListener {

    /** The future was done, and this is its record; its result may have been lost since, or the future deleted. */
    void done(FutureId id, FutureRecord record);
}
