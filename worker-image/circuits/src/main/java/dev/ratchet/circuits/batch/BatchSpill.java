/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.FormatNumbers;

/** Where merges put batches that are too large for memory: files that live as long as somebody refers to them. */
public interface BatchSpill {

    /** Starts a new file. */
    SpillFile create();

    /** The level of recorded formats in which a file is written that is started now. */
    default int formatLevel() {
        return FormatNumbers.ANY_LEVEL;
    }

    /** Through which the files are read. */
    BlockCache cache();

    /** Says that a file this spill gave is no longer part of the trace that asked for it. */
    void discard(BatchFile file);

    /** A file that is being written. One thread at a time. */
    interface SpillFile extends ByteSink {

        /** Ends the file and gives it for reading; it is not yet promised to survive a crash. */
        BatchFile finish();

        /** Ends and deletes the file. */
        void abandon();
    }
}
