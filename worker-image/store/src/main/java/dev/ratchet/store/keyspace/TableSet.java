/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import java.util.ArrayList;
import java.util.List;

/**
 * The tables of one module in one cluster. A subclass declares each table once, as a field with the value of
 * {@link #table}; its constructor without arguments gives tools what is declared. Safe for use by several threads once
 * constructed.
 */
public abstract class TableSet implements KeyTree {

    /** Whose keyspace tables have that are only to be listed: nothing is written there. */
    protected static final Keyspace NO_CLUSTER = new Keyspace("no cluster");

    private final String module;
    private final Keyspace keyspace;
    private final List<TableSchema<?>> schemas = new ArrayList<>();

    /** @param module first element of the path of each table */
    protected TableSet(String module, Keyspace keyspace) {
        this.module = module;
        this.keyspace = keyspace;
    }

    /** Declares a table, see {@link TableSchema#of}. */
    protected final <V> Table<V> table(String name, ValueCodec<V> codec, String... keyElements) {
        TableSchema<V> schema = TableSchema.of(module, name, codec, keyElements);
        schemas.add(schema);
        return schema.in(keyspace);
    }

    /** Where these tables are, with those of other modules. */
    public final Keyspace keyspace() {
        return keyspace;
    }

    @Override
    public final List<TableSchema<?>> tables() {
        return List.copyOf(schemas);
    }
}
