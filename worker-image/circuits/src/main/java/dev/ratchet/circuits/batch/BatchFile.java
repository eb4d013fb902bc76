/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/** Reads parts of one immutable file, by any number of threads at once. */
public interface BatchFile {

    /** Names the file in errors. */
    String name();

    /** Makes sure that it can be read from here on, even where its name is deleted. */
    default void open() {}

    /**
     * Fills the array from a position of the file.
     *
     * @throws java.io.UncheckedIOException where the file can not be read that far
     */
    void read(long position, byte[] into);
}
