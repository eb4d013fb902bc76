/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Optional;

/**
 * Keys and values of one tenant in the cluster's store, as one attempt at a task sees and changes them. What it writes
 * is stored in the transaction that records the result, and only then: of all attempts exactly one takes effect, and
 * none whose reads are not true any more at that moment. Such an attempt runs again from the start, which counts as no
 * failure.
 *
 * <p>Limits of one attempt: 1,000 keys, 1,000,000 bytes, 1,000 bytes for a key and 90,000 for a value. Safe for use by
 * several threads.
 */
public interface TaskStore {

    /** Most keys that one attempt reads and writes. */
    int KEYS_MAX = 1_000;

    /** Most bytes that one attempt reads and writes. */
    int BYTES_MAX = 1_000_000;

    /** Longest key. */
    int KEY_BYTES_MAX = 1_000;

    /** Longest value. */
    int VALUE_BYTES_MAX = 90_000;

    /**
     * The value as this attempt sees it: its own write, or what the store has.
     *
     * @throws InvalidInputException if a limit is exceeded
     * @throws ConnectionException if the store can not be read
     */
    Optional<byte[]> get(byte[] key);

    /** Stores a value with the result. @throws InvalidInputException if a limit is exceeded */
    void set(byte[] key, byte[] value);

    /** Removes a value with the result. @throws InvalidInputException if a limit is exceeded */
    void clear(byte[] key);
}
