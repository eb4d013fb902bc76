/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * What a future was computed from: the list of its upstreams in their order, and with each of these that it was used.
 * Both are written together, here. Holds no state.
 */
public final class Lineage {

    private final FutureKeys keys;

    public Lineage(FutureKeys keys) {
        this.keys = keys;
    }

    /** Records that {@code downstream} is computed from these, in this order. */
    public void connect(Transaction transaction, FutureId downstream, List<FutureId> upstreams) {
        keys.upstreams.set(transaction, FutureKeys.encodeUpstreams(upstreams), downstream.value());
        upstreams.forEach(
                upstream -> keys.uses.set(transaction, FutureKeys.PRESENT, upstream.value(), downstream.value()));
    }

    /** Forgets it; the list must be the recorded one. */
    public void disconnect(Transaction transaction, FutureId downstream, List<FutureId> upstreams) {
        new LinkedHashSet<>(upstreams)
                .forEach(upstream -> keys.uses.clear(transaction, upstream.value(), downstream.value()));
        keys.upstreams.clear(transaction, downstream.value());
    }
}
