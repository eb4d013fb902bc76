/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** How the code of new futures gets to the cluster. */
interface Shipping {

    /** The artifacts of a task, and when the cluster has them. */
    record Shipped(List<ByteString> digests, CompletableFuture<Void> uploaded) {}

    /** The artifacts with the class of a task. */
    Shipped shipFor(Class<?> type);

    /** The artifacts of a task without a class of the user's: whatever this connection has shipped so far. */
    Shipped shipKnown();

    /** The artifacts for tasks by name. @throws dev.ratchet.client.InvalidInputException if there are none */
    Shipped shipGiven();

    /** Artifacts that the cluster has already. */
    static Shipping present(List<ByteString> digests) {
        Shipped shipped = new Shipped(List.copyOf(digests), CompletableFuture.completedFuture(null));
        return new Shipping() {
            @Override
            public Shipped shipFor(Class<?> type) {
                return shipped;
            }

            @Override
            public Shipped shipKnown() {
                return shipped;
            }

            @Override
            public Shipped shipGiven() {
                return shipped;
            }
        };
    }
}
