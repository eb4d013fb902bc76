/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * A future that a transaction of the program's own records, together with whatever else that writes: what
 * {@link Ratchet#prepare} makes. It is nothing until the transaction has committed, and is awaited by its id from then
 * on.
 *
 * @param id chosen already, so that a transaction that is tried again submits nothing twice
 * @param request what is to be recorded; for implementations
 */
public record PreparedFuture(FutureId id, byte[] request) {

    @Override
    public String toString() {
        return "prepared future " + id;
    }
}
