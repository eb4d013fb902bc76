/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import dev.ratchet.protocol.store.v1.StoreIdentity;
import java.util.List;

/** The tables of the store module: whose subspace this is, and how often it was restored. */
public final class StoreTables implements KeyTree {

    /** One record at the empty key. It says what is written how, so its own form is the first one for all time. */
    public static final TableSchema<StoreIdentity> IDENTITY =
            TableSchema.of("store", "identity", Values.message(StoreIdentity.parser()));

    /** One counter at the empty key; absent counts as 1. Part of every fence. */
    public static final TableSchema<Long> GENERATION = TableSchema.of("store", "generation", Values.counter());

    @Override
    public List<TableSchema<?>> tables() {
        return List.of(IDENTITY, GENERATION);
    }
}
