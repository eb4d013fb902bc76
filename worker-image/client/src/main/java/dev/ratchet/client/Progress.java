/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.time.Instant;

/**
 * How far a task said it was, the last time it did.
 *
 * @param done of {@code total}, in units of the task's own
 * @param total 0 where the task does not know
 * @param note what it is at; at most 200 characters
 * @param said when that was, by the clock of its worker
 */
public record Progress(long done, long total, String note, Instant said) {

    /** Longest {@link #note}. */
    public static final int NOTE_LENGTH_MAX = 200;
}
