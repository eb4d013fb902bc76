/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.observe;

import java.util.concurrent.CompletableFuture;

/** Tries to connect to an address, to tell a dead process from one that is only silent. */
@FunctionalInterface
public interface Prober {

    /** What a try showed. */
    enum Result {
        /** Somebody listens there. */
        ANSWERED,
        /** The host answered that nobody listens there: the process that did is gone. */
        REFUSED,
        /** No answer within the prober's time, or another error: proves nothing. */
        UNKNOWN
    }

    /** Tries {@code host:port} for at most a few seconds; never completes exceptionally. */
    CompletableFuture<Result> probe(String address);
}
