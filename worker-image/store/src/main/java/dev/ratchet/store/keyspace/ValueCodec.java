/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

/**
 * How the values of a table are written, read and shown. Implementations are immutable; {@code decode(encode(v,
 * level))} equals {@code v}, and equal values may have different bytes.
 *
 * @param <V> type of the values
 */
public interface ValueCodec<V> {

    /**
     * The bytes to persist.
     *
     * @param level of recorded formats, at least 1: what is written is what every release of that level reads
     */
    byte[] encode(V value, int level);

    /**
     * The value that was persisted as {@code bytes}.
     *
     * @throws ValueFormatException if the bytes are damaged or of a format that this release does not read
     */
    V decode(byte[] bytes);

    /** One line for people. */
    String describe(V value);
}
