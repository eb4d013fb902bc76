/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

/**
 * Everything that the circuits of one worker remember, in the two versions of the paper's worker database: a new one
 * has version 0, which is empty; opening version <i>v</i> discards the other one; a commit makes <i>v</i> + 1 beside
 * <i>v</i>, and what is open goes on towards <i>v</i> + 2. A process that dies at any moment leaves the versions that
 * were committed. State is kept in named tables, each a {@link dev.ratchet.circuits.trace.Trace} of weighted rows that
 * is cut by hash, so that another number of threads or workers takes the same state in other slices.
 *
 * <p>One thread at a time, but for what is said at {@link PendingCommit}.
 */
public interface StateDatabase extends AutoCloseable {

    /** The versions that can be opened. */
    StateVersions versions();

    /**
     * Opens a version for reading and writing, and discards the other one. What was open before is no longer.
     *
     * @throws IllegalArgumentException where there is no such version
     * @throws CorruptStateException where the version can not be read; nothing was discarded then
     */
    OpenState open(long version);

    /** Ends without a commit: what was written since the last one is gone. */
    @Override
    void close();
}
