/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.tuple.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

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

    /** The table that keys with these first elements are of. */
    public Optional<TableSchema<?>> table(Tuple path) {
        return path.size() < 2 ? Optional.empty() : Optional.ofNullable(tables.get(path.get(0) + "/" + path.get(1)));
    }

    /** Why there can be no keys under a path, with what there is instead; nothing when there can be some. */
    public Optional<String> problem(Tuple path) {
        if (path.isEmpty()) {
            return Optional.empty();
        }
        String module = String.valueOf(path.get(0));
        List<TableSchema<?>> siblings = tables.values().stream()
                .filter(table -> table.module().equals(module))
                .toList();
        if (siblings.isEmpty()) {
            return Optional.of(
                    "there is no module " + module + ": there are " + names(tables.values(), TableSchema::module));
        }
        if (path.size() == 1) {
            return Optional.empty();
        }
        return table(path)
                .map(table -> path.size() - 2 <= table.keyElements().size()
                        ? Optional.<String>empty()
                        : Optional.of("keys are no longer than " + table.shape()))
                .orElseGet(() -> Optional.of("module " + module + " has no table " + path.get(1) + ": it has "
                        + names(siblings, TableSchema::name)));
    }

    private static String names(Collection<TableSchema<?>> tables, Function<TableSchema<?>, String> name) {
        return tables.stream().map(name).distinct().collect(Collectors.joining(", "));
    }
}
