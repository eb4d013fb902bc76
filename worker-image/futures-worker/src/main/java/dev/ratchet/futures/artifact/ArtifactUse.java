/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.artifact;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.UnusedNotes;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** The jars of users for a circuit, whose program is in one. Safe for use by several threads. */
public final class ArtifactUse {

    private final FutureStore store;
    private final CodeCache code;

    public ArtifactUse(FutureStore store, CodeCache code) {
        this.store = store;
        this.code = code;
    }

    /** As {@link CodeCache#artifact}. */
    public CompletableFuture<Path> file(ByteString digest) {
        return code.artifact(digest);
    }

    /**
     * Whether the store has it, as a read of the transaction. Whoever records in the same transaction that it is in
     * use, where {@code CodeCollector} is told of it, finds it there as long as that is recorded.
     */
    public CompletableFuture<Boolean> isStored(ReadTransaction transaction, ByteString digest) {
        return transaction
                .get(store.keys().artifacts.key((Object) digest.toByteArray()))
                .thenApply(Objects::nonNull);
    }

    /** It is in use no more: it goes an hour later, unless something else names it. */
    public void release(Transaction transaction, ByteString digest) {
        UnusedNotes.write(transaction, store.keys(), UnusedNotes.ARTIFACT, digest.toByteArray());
    }
}
