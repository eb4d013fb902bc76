/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as the engine sees it: what it read, what it writes.
 *
 * @param readVersion version of the reads; {@link #NO_READ_VERSION} where nothing was read
 * @param readConflicts ranges that no commit after {@code readVersion} may have written
 * @param writeConflicts ranges that conflict with the reads of others; a versionstamped key is added by the engine
 * @param mutations changes in the order they were made
 * @param sizeBytes size of all the above by the rules of FoundationDB's limit
 * @param requestId name by which a remote client may ask for the outcome, null in process
 * @param lockAware whether it may commit to a locked database
 * @param reportConflicts whether a failure by conflict names the read ranges in question
 * @param toldAtOnce whether what follows its success never blocks and takes short: whoever learns of it may complete
 *     it, such as the thread of a network or one of the engine
 */
public record CommitRequest(
        long readVersion,
        List<KeyRange> readConflicts,
        List<KeyRange> writeConflicts,
        List<Mutation> mutations,
        long sizeBytes,
        @Nullable RequestId requestId,
        boolean lockAware,
        boolean reportConflicts,
        boolean toldAtOnce) {

    /** The read version of a transaction that read nothing. */
    public static final long NO_READ_VERSION = -1;
}
