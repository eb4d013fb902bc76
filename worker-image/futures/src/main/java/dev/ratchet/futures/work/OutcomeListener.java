/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.futures.v1.FutureRecord;

/** Is told of futures that have become done, as far as this worker knows; on any thread, must not block. */
@FunctionalInterface
public interface OutcomeListener {

    /** The future is done, and this is its record. */
    void done(FutureId id, FutureRecord record);
}
