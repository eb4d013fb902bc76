/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.futures.v1.ClaimToken;

/**
 * Names a result in the object stores: results of different attempts differ, so they have different names.
 *
 * @param epoch tells apart what was made for one future; 0 for a value that nobody has computed
 */
public record ObjectName(FutureId future, long epoch) {

    /**
     * What an attempt makes. Epochs tell the attempts of a future apart; but an id that follows from a key may be
     * deleted and come again, and begins with the same epoch while bytes of its former life are still to be deleted.
     */
    public static ObjectName of(FutureId future, ClaimToken claim) {
        return new ObjectName(future, future.isDrawn() ? claim.getEpoch() : claim.getNonce() >>> 1);
    }
}
