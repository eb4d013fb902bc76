/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.BatchFile;
import dev.ratchet.circuits.batch.ByteSink;
import java.util.List;

/**
 * The directory of a database as it uses it: files that are written once from begin to end, then only read. Written
 * bytes may be lost in a crash until {@link #sync}, new names until {@link #syncNames}. Failures are
 * {@link java.io.UncheckedIOException}. Any number of threads at once.
 */
public interface StateFiles extends AutoCloseable {

    /** Where the files are, for messages. */
    String place();

    /** The names of all files, in no order. */
    List<String> list();

    /** Starts a file, in place of one of that name. */
    Output create(String name);

    /** Opens a file for reading; deleting it later does not disturb who reads it. */
    BatchFile open(String name);

    long length(String name);

    /** Returns once the bytes of a finished file survive a crash. */
    void sync(String name);

    /** Gives a file another name, in place of one that had it: after a crash there is the former or the new. */
    void rename(String from, String to);

    void delete(String name);

    /** Returns once all names survive a crash. */
    void syncNames();

    @Override
    void close();

    /** A file that is being written. One thread at a time. */
    interface Output extends ByteSink, AutoCloseable {

        /** Ends the file. */
        @Override
        void close();
    }
}
