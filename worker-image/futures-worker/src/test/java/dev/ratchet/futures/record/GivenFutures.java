/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.futures.v1.FutureRecord;

/** Futures as a transaction would have read them. */
public final class GivenFutures {

    private GivenFutures() {}

    public static LoadedFuture of(FutureId id, FutureRecord.Builder record) {
        return new LoadedFuture(id, record.build());
    }
}
