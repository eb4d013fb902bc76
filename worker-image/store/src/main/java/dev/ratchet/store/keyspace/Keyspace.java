/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Everything that one cluster keeps in a store: the subspace {@code ("ratchet", name)}. Clusters with different names
 * never touch each other's keys; that two clusters do not use one name is what {@link StoreRecord} guards. Immutable,
 * but for the level of formats that this process has seen there.
 */
public final class Keyspace {

    /** First element of every key of ours, so that a shared FoundationDB shows whose it is. */
    static final String ROOT = "ratchet";

    private static final int LONGEST_NAME = 256;
    private static final int LISTED = 1_000;

    private final String name;
    private final Subspace root;
    private final FormatLevel formats = new FormatLevel();

    /**
     * @param name as in the configuration's {@code store.subspace}, by default {@code <namespace>/<cluster>}
     * @throws IllegalArgumentException if the name is empty or longer than 256 characters
     */
    public Keyspace(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("The store's subspace must have 1 to " + LONGEST_NAME
                    + " characters, not " + name.length() + ": '" + name + "'");
        }
        this.name = name;
        this.root = new Subspace(Tuple.from(ROOT, name));
    }

    /** The keyspaces that have keys, by name, at most {@value #LISTED}. */
    public static CompletableFuture<List<Keyspace>> all(ReadTransaction transaction) {
        return nextAfter(transaction, new Subspace(Tuple.from(ROOT)).range().begin, new ArrayList<>());
    }

    private static CompletableFuture<List<Keyspace>> nextAfter(
            ReadTransaction transaction, byte[] from, List<Keyspace> found) {
        Subspace all = new Subspace(Tuple.from(ROOT));
        return transaction.getKey(KeySelector.firstGreaterOrEqual(from)).thenCompose(key -> {
            if (found.size() == LISTED || !all.contains(key)) {
                return CompletableFuture.completedFuture(found);
            }
            Keyspace next = new Keyspace(all.unpack(key).getString(0));
            found.add(next);
            return nextAfter(transaction, Range.startsWith(next.root.pack()).end, found);
        });
    }

    /** The name it was made with. */
    public String name() {
        return name;
    }

    /** The subspace that holds every table. */
    public Subspace root() {
        return root;
    }

    /** In which level of formats this process writes there. Each process has its own. */
    public FormatLevel formats() {
        return formats;
    }

    /** Clears every key of the cluster. */
    public void clear(Transaction transaction) {
        transaction.clear(root.range());
    }

    @Override
    public String toString() {
        return name;
    }
}
