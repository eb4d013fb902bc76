/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.Transaction;
import java.util.concurrent.CompletableFuture;

/**
 * The version at which pages are read: the same one for all, until the store has forgotten it. Safe for use by several
 * threads.
 */
final class PinnedVersion {

    private long version;
    private int count;

    /** The version for one transaction and its retries. */
    final class Use {
        private boolean tried;

        private Use() {}

        /** Sets the version of {@code transaction}; a transaction that comes again gets a new one. */
        CompletableFuture<Void> pin(Transaction transaction) {
            synchronized (PinnedVersion.this) {
                if (count > 0 && !tried) {
                    tried = true;
                    transaction.setReadVersion(version);
                    return CompletableFuture.completedFuture(null);
                }
                tried = true;
            }
            return transaction.getReadVersion().thenAccept(PinnedVersion.this::renew);
        }
    }

    /** For one transaction. */
    Use use() {
        return new Use();
    }

    /** How many versions there have been. */
    synchronized int count() {
        return count;
    }

    private synchronized void renew(long newer) {
        if (count == 0 || newer != version) {
            version = newer;
            count++;
        }
    }
}
