/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import com.apple.foundationdb.ReadTransaction;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Which clients there are, as the store says: the proof that one is over, inside of any transaction. */
@FunctionalInterface
public interface Clients {

    /**
     * A client whose lease lasts; absent once it is over, for ever. A transaction that reads it conflicts with the end
     * of the lease.
     */
    CompletableFuture<Optional<Client>> one(ReadTransaction transaction, UUID id);

    /**
     * A client with a lease.
     *
     * @param seat the worker that vouches for it
     * @param incarnation of that worker
     * @param name what it calls itself
     */
    record Client(UUID id, String seat, long incarnation, String name) {}
}
