/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import com.apple.foundationdb.ReadTransaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads the seats of the cluster. Holds no state; safe for use by several threads. */
public interface Members {

    /** Most seats that one cluster may ever have had; a read that finds more fails. */
    int LIMIT = 10_000;

    /**
     * All seats ever taken, by name. Pass a snapshot unless the whole membership must not change until the commit: it
     * conflicts with every state change of every worker (not with beats, which are read by snapshot).
     */
    CompletableFuture<List<Member>> all(ReadTransaction transaction);

    /** One seat, or nothing if it was never taken. Reading it conflicts with its state changes, not with its beats. */
    CompletableFuture<Optional<Member>> one(ReadTransaction transaction, String seat);
}
