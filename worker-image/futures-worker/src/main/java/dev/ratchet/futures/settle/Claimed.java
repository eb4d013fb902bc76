/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;

/**
 * A future that this worker has claimed.
 *
 * @param record as the claim has left it
 */
public record Claimed(FutureId id, FutureRecord record) {

    public ClaimToken token() {
        return record.getClaim();
    }
}
