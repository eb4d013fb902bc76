/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** All tables that are known, by path. Two tables of one path are a mistake of the build and refused. */
public final class KeyRegistry {

    private final TreeMap<String, TableSchema<?>> tables = new TreeMap<>();

    /** @throws IllegalStateException if two tables have one path */
    public KeyRegistry(Iterable<? extends KeyTree> trees) {
        for (KeyTree tree : trees) {
            for (TableSchema<?> table : tree.tables()) {
                if (tables.put(table.path(), table) != null) {
                    throw new IllegalStateException("Two tables are declared as " + table.path());
                }
            }
        }
    }

    /** Those of every module on the class path. */
    public static KeyRegistry load() {
        return new KeyRegistry(ServiceLoader.load(KeyTree.class, KeyRegistry.class.getClassLoader()));
    }

    /** In the order of their paths, which is the order of their keys. */
    public Collection<TableSchema<?>> tables() {
        return List.copyOf(tables.values());
    }

    public Optional<TableSchema<?>> table(String module, String name) {
        return Optional.ofNullable(tables.get(module + "/" + name));
    }
}
