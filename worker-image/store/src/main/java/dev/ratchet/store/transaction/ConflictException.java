/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.util.List;

/** A commit that failed with 1020, and the read ranges that others had written, where the commit asked for them. */
public final class ConflictException extends EmbeddedFDBException {
    private static final long serialVersionUID = 1L;

    private final transient List<KeyRange> conflicts;

    /** A conflict; the list is empty unless the commit asked for a report. */
    public ConflictException(List<KeyRange> conflicts) {
        super(ErrorCode.NOT_COMMITTED);
        this.conflicts = conflicts;
    }

    /** Read conflict ranges of the commit that intersect what others wrote. */
    public List<KeyRange> conflicts() {
        return conflicts;
    }
}
