/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.Range;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * One table of one cluster: makes and reads its keys and values, for use with plain transactions. Without I/O, safe for
 * use by several threads.
 *
 * @param <V> type of the values
 */
public final class Table<V> {

    private final TableSchema<V> schema;
    private final Subspace subspace;
    private final FormatLevel formats;

    Table(TableSchema<V> schema, Subspace subspace, FormatLevel formats) {
        this.schema = schema;
        this.subspace = subspace;
        this.formats = formats;
    }

    /** What was declared. */
    public TableSchema<V> schema() {
        return schema;
    }

    /** Where the keys are. */
    public Subspace subspace() {
        return subspace;
    }

    /** The key with these elements: types that {@link Tuple} takes. */
    public byte[] key(Object... elements) {
        return subspace.pack(Tuple.from(elements));
    }

    /** All keys that begin with these elements and have more; without arguments the whole table. */
    public Range range(Object... prefix) {
        return subspace.range(Tuple.from(prefix));
    }

    /** The elements of a key of this table; anything else is an IllegalArgumentException. */
    public Tuple elements(byte[] key) {
        return subspace.unpack(key);
    }

    /** The bytes to store for {@code value}, in the form of the level that the keyspace is known to have. */
    public byte[] encode(V value) {
        return schema.codec().encode(value, formats.get());
    }

    /** The value stored as {@code bytes}. @throws ValueFormatException if this release can not read it */
    public V decode(byte[] bytes) {
        return schema.codec().decode(bytes);
    }

    /** As {@link #decode}; null for the null that a read of an absent key gives. */
    public @Nullable V decodeOrNull(byte @Nullable [] bytes) {
        return bytes == null ? null : decode(bytes);
    }
}
