/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

/**
 * A version that is ended and not yet stored. Its rows are immutable, so another thread than that of the traces may
 * store it while they go on.
 */
public interface PendingCommit {

    /** The version it makes. */
    long version();

    /**
     * Stores it; once this returns, the version survives a crash. Called once, by any thread.
     *
     * @throws java.io.UncheckedIOException where it could not be stored: the version below is untouched, and the rows
     *     are part of the next commit
     */
    void complete();
}
