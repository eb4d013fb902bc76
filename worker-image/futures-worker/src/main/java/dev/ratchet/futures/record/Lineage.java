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
        transaction.set(keys.upstreams.key(downstream.value()), FutureKeys.encodeUpstreams(upstreams));
        upstreams.forEach(
                upstream -> transaction.set(keys.uses.key(upstream.value(), downstream.value()), FutureKeys.PRESENT));
    }

    /** Forgets it; the list must be the recorded one. */
    public void disconnect(Transaction transaction, FutureId downstream, List<FutureId> upstreams) {
        new LinkedHashSet<>(upstreams)
                .forEach(upstream -> transaction.clear(keys.uses.key(upstream.value(), downstream.value())));
        transaction.clear(keys.upstreams.key(downstream.value()));
    }
}
