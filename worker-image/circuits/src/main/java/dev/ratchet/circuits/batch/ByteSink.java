/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/** Takes bytes one after the other: a file, a message, an array. One thread at a time. */
@FunctionalInterface
public interface ByteSink {

    /**
     * Appends a copy of the bytes.
     *
     * @throws java.io.UncheckedIOException where they can not be written
     */
    void append(byte[] bytes, int offset, int length);
}
