/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import dev.ratchet.membership.Member;
import dev.ratchet.membership.SeatOrder;
import java.util.concurrent.CompletableFuture;

/**
 * What the coordinator says to workers by message. Messages are hints that save waiting for the next heartbeat: what
 * they say is in the store already. A call that is not answered within a few seconds fails.
 */
public interface WorkerCalls {

    /** Has the worker adopt a term. */
    CompletableFuture<Void> hello(Member worker, long term);

    /** Has the worker drain, park or work again. */
    CompletableFuture<Void> order(Member worker, long term, long seq, SeatOrder order);
}
