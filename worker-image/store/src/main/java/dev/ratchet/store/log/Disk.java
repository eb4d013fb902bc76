/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One directory of files, as the log needs it. Calls block. What a crash leaves: every byte that a completed
 * {@link File#sync} covered, any part of what was written after it; names as of the last {@link #syncDirectory}.
 */
public interface Disk extends Closeable {

    /** Names of all files. */
    List<String> list() throws IOException;

    /** Makes a new, empty file; fails if it exists. */
    File create(String name) throws IOException;

    /** Opens a file that exists, to read it or to append to it. */
    File open(String name) throws IOException;

    /** Gives a file another name, in place of what had it. */
    void rename(String from, String to) throws IOException;

    /** Deletes a file. */
    void delete(String name) throws IOException;

    /** Makes names durable. */
    void syncDirectory() throws IOException;

    /** Where this is, for people. */
    String describe();

    /** One open file. One thread changes it; any may read meanwhile what was appended before. */
    interface File extends Closeable {

        /** Length in bytes. */
        long size() throws IOException;

        /** Reads from a position until the buffer is full or the file ends; returns how many bytes. */
        int read(ByteBuffer target, long position) throws IOException;

        /** Writes all that remains in the buffer at the end of the file. */
        void append(ByteBuffer source) throws IOException;

        /**
         * Makes room for appends, up to so many bytes after the end as it is now: they need not grow the file then,
         * which makes a sync cost half. After a crash the room that was not used reads as zeros.
         */
        default void reserve(long bytes) throws IOException {}

        /** Cuts the file off, and gives back room that was reserved. */
        void truncate(long size) throws IOException;

        /** Makes all that was written durable. */
        void sync() throws IOException;
    }
}
