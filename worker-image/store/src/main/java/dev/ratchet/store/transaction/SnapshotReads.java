/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.TransactionOptions;
import java.util.concurrent.Executor;

/** The snapshot view of a transaction: the same reads without conflicts. */
final class SnapshotReads extends ReadView {

    private final ConnectionTransaction transaction;

    SnapshotReads(ConnectionTransaction transaction) {
        super(transaction.core, true);
        this.transaction = transaction;
    }

    @Override
    void check() {
        transaction.check();
    }

    @Override
    void remove(byte[] key) {
        transaction.clear(key);
    }

    @Override
    public boolean isSnapshot() {
        return true;
    }

    @Override
    public ReadTransaction snapshot() {
        return this;
    }

    @Override
    public boolean addReadConflictRangeIfNotSnapshot(byte[] begin, byte[] end) {
        return false;
    }

    @Override
    public boolean addReadConflictKeyIfNotSnapshot(byte[] key) {
        return false;
    }

    @Override
    public TransactionOptions options() {
        return transaction.options();
    }

    @Override
    public Executor getExecutor() {
        return transaction.getExecutor();
    }
}
