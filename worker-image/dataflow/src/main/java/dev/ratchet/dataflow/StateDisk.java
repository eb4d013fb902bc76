/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.state.StateFiles;

/** Where the state of circuits is on this worker: files in directories with names. One thread at a time. */
public interface StateDisk {

    /** Deletes all directories of states but this one. */
    void keepOnly(String directory);

    /** The files of a directory, which is made if need be. Failures are {@link java.io.UncheckedIOException}. */
    StateFiles open(String directory);
}
