/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.State;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * The tasks that submit others. What one submits after its cancellation is not taken: who has cancelled it has ended
 * its children already, and would not hear of another one.
 */
final class Parents {

    private Parents() {}

    /**
     * Those of the tasks that submit {@code futures} that were cancelled, by their ids. Read with conflict: either this
     * transaction sees the cancellation, or whoever cancelled sees what this one records.
     */
    static CompletableFuture<Set<ByteString>> cancelled(
            FutureTransaction transaction, Collection<SubmittedFuture> futures) {
        Set<ByteString> parents = futures.stream()
                .map(SubmittedFuture::getParent)
                .filter(parent -> !parent.isEmpty())
                .collect(Collectors.toSet());
        Set<ByteString> cancelled = new HashSet<>(parents);
        CompletableFuture<?>[] reads = parents.stream()
                .map(parent -> transaction
                        .keys()
                        .record(transaction.transaction(), Ids.of(parent))
                        .thenAccept(record -> {
                            if (record.isEmpty() || record.get().getState() != State.STATE_CANCELLED) {
                                synchronized (cancelled) {
                                    cancelled.remove(parent);
                                }
                            }
                        }))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(reads).thenApply(unused -> cancelled);
    }
}
