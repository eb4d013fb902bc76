/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Where the jars of programs are, by the SHA-256 of their content in hexadecimal. Safe for use by several threads. */
public interface JarSource {

    /** Of a process that has no jars. */
    JarSource NONE = new JarSource() {
        @Override
        public CompletableFuture<Path> fetch(String jar) {
            return CompletableFuture.failedFuture(new IllegalStateException("This process takes no jars of programs"));
        }

        @Override
        public CompletableFuture<Boolean> isStored(ReadTransaction transaction, String jar) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public void release(Transaction transaction, String jar) {}
    };

    /**
     * The jar on this worker's disk, its content verified; fails where the store has it not, or damaged, with a message
     * that says what to do.
     */
    CompletableFuture<Path> fetch(String jar);

    /** Whether the store has it, as a read with conflict of this transaction. */
    CompletableFuture<Boolean> isStored(ReadTransaction transaction, String jar);

    /** Tells that the circuit names it no more: it goes after a while, unless something else does. */
    void release(Transaction transaction, String jar);
}
