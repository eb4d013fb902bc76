/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * One table of one cluster: makes and reads its keys and values, and writes them into transactions of the caller's, who
 * commits them. Nothing else writes to a cluster's part of a store. Safe for use by several threads.
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

    /** Writes {@code value} under the key with these elements. */
    public void set(Transaction transaction, V value, Object... elements) {
        transaction.set(key(elements), encode(value));
    }

    /** Writes {@code value} under a key of this table, such as one that was read from it. */
    public void setRow(Transaction transaction, byte[] key, V value) {
        transaction.set(own(key), encode(value));
    }

    /**
     * Writes {@code value} under the elements {@code before}, the stamp of the commit and {@code after}, so that keys
     * with the same {@code before} are in the order of their commits.
     *
     * @param order 0 to 65535, of several that one commit appends
     */
    public void append(Transaction transaction, Tuple before, int order, Tuple after, V value) {
        transaction.mutate(
                MutationType.SET_VERSIONSTAMPED_KEY,
                Versionstamps.operand(subspace.getKey(), before, order, after),
                encode(value));
    }

    /**
     * Writes {@code value} under the key with these elements, with the 10 bytes of the commit's stamp in place of those
     * that the encoded value has from {@code stampAt} on.
     */
    public void setStamped(Transaction transaction, V value, int stampAt, Object... elements) {
        byte[] encoded = encode(value);
        byte[] operand = ByteBuffer.allocate(encoded.length + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(encoded)
                .putInt(stampAt)
                .array();
        transaction.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, key(elements), operand);
    }

    /** Adds to the counter under the key with these elements, without reading it; one that is absent is 0. */
    public void add(Transaction transaction, V delta, Object... elements) {
        transaction.mutate(MutationType.ADD, key(elements), encode(delta));
    }

    /** Clears the key with these elements if {@code value} is what it has, without reading it. */
    public void clearIf(Transaction transaction, V value, Object... elements) {
        transaction.mutate(MutationType.COMPARE_AND_CLEAR, key(elements), encode(value));
    }

    /** Clears the key with these elements. */
    public void clear(Transaction transaction, Object... elements) {
        transaction.clear(key(elements));
    }

    /** Clears a key of this table, such as one that was read from it; any other is an IllegalArgumentException. */
    public void clearRow(Transaction transaction, byte[] key) {
        transaction.clear(own(key));
    }

    /** Clears all keys that begin with these elements and have more; without elements the whole table. */
    public void clearAll(Transaction transaction, Object... prefix) {
        transaction.clear(range(prefix));
    }

    /** Clears the keys from one of this table up to before another; any other is an IllegalArgumentException. */
    public void clearBetween(Transaction transaction, byte[] begin, byte[] end) {
        transaction.clear(own(begin), end);
    }

    private byte[] own(byte[] key) {
        if (!subspace.contains(key)) {
            throw new IllegalArgumentException("The key " + ByteArrayUtil.printable(key) + " is none of the table "
                    + schema.path() + ": write it through its own");
        }
        return key;
    }
}
