/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import java.util.List;

/**
 * The declaration of one table of the keyspace, independent of any cluster: where its keys are, what their elements
 * mean and how its values are encoded. Modules declare theirs in a {@link KeyTree}, so that code and {@code ratchet
 * keys} read the layout from one place. Changing a path or the order of elements changes persisted keys.
 *
 * @param module first element of the path; the module that owns the table
 * @param name second element; unique in the module
 * @param keyElements what each further element of a key is, in order, for people
 * @param codec encoding of the values
 * @param <V> type of the values
 */
public record TableSchema<V>(String module, String name, List<String> keyElements, ValueCodec<V> codec) {

    public TableSchema {
        keyElements = List.copyOf(keyElements);
    }

    /** Declares a table whose keys have the elements {@code keyElements} under {@code (module, name)}. */
    public static <V> TableSchema<V> of(String module, String name, ValueCodec<V> codec, String... keyElements) {
        return new TableSchema<>(module, name, List.of(keyElements), codec);
    }

    /** This table in the keyspace of one cluster. Make it once and keep it: it holds the packed prefix. */
    public Table<V> in(Keyspace keyspace) {
        return new Table<>(this, keyspace.root().get(module).get(name), keyspace.formats());
    }

    /** {@code module/name}, as typed after {@code ratchet keys}. */
    public String path() {
        return module + "/" + name;
    }

    /** The path and what follows, as {@code futures/record/<future>}. */
    public String shape() {
        StringBuilder shape = new StringBuilder(path());
        keyElements.forEach(element -> shape.append("/<").append(element).append('>'));
        return shape.toString();
    }
}
