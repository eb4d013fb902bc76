/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;

/**
 * Which future waits for which: each edge is a pair of keys, one found from either end, and both are written together,
 * here. A done future of which not all edges could be removed at once is noted until they are. Holds no state.
 */
public final class WaitEdges {

    private final FutureKeys keys;

    public WaitEdges(FutureKeys keys) {
        this.keys = keys;
    }

    /** Records that {@code downstream} waits for {@code upstream}. */
    public void connect(Transaction transaction, FutureId downstream, FutureId upstream) {
        keys.waits.set(transaction, FutureKeys.PRESENT, downstream.value(), upstream.value());
        keys.dependents.set(transaction, FutureKeys.PRESENT, upstream.value(), downstream.value());
    }

    /** Records that {@code downstream} does not wait for {@code upstream} any more. */
    public void disconnect(Transaction transaction, FutureId downstream, FutureId upstream) {
        keys.waits.clear(transaction, downstream.value(), upstream.value());
        keys.dependents.clear(transaction, upstream.value(), downstream.value());
    }

    /** Notes that there are more edges of a future that is done. */
    public void leaveUnsettled(Transaction transaction, FutureId upstream) {
        keys.unsettled.set(transaction, FutureKeys.PRESENT, upstream.value());
    }

    /** Notes that nothing waits for a future any more, or that it is not done. */
    public void settle(Transaction transaction, FutureId upstream) {
        keys.unsettled.clear(transaction, upstream.value());
    }
}
