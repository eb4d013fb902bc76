/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RequestId;
import java.util.List;

/**
 * What one commit version did, as the log keeps it: plain sets and range clears, in order, with nothing left to compute
 * but what an append makes of a value. The result of one could be a thousand times as large as the operation.
 *
 * @param version the commit version
 * @param reservedVersion no version above this one is handed out before a later batch says so; a restart begins above
 *     it
 * @param changes {@link Mutation#SET}, {@link Mutation#CLEAR_RANGE} and {@link Mutation#APPEND_IF_FITS} only
 * @param requests the named commits in it
 */
public record CommittedBatch(long version, long reservedVersion, List<Mutation> changes, List<Named> requests) {

    /** A named commit and its place in the batch. */
    public record Named(RequestId id, int batchIndex) {}
}
