/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.Tuple;

/**
 * Everything that one cluster keeps in a store: the subspace {@code ("ratchet", name)}. Clusters with different names
 * never touch each other's keys; that two clusters do not use one name is what {@link StoreRecord} guards. Immutable.
 */
public final class Keyspace {

    /** First element of every key of ours, so that a shared FoundationDB shows whose it is. */
    static final String ROOT = "ratchet";

    private static final int LONGEST_NAME = 256;

    private final String name;
    private final Subspace root;

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

    /** The name it was made with. */
    public String name() {
        return name;
    }

    /** The subspace that holds every table. */
    public Subspace root() {
        return root;
    }

    @Override
    public String toString() {
        return name;
    }
}
