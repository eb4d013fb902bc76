/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

/**
 * How the values of a table are written, read and shown. Implementations are immutable; {@code decode(encode(v))}
 * equals {@code v}, and equal values may have different bytes.
 *
 * @param <V> type of the values
 */
public interface ValueCodec<V> {

    /** The bytes to persist. */
    byte[] encode(V value);

    /**
     * The value that was persisted as {@code bytes}.
     *
     * @throws ValueFormatException if the bytes are damaged or of a format that this release does not read
     */
    V decode(byte[] bytes);

    /** One line for people. */
    String describe(V value);
}
