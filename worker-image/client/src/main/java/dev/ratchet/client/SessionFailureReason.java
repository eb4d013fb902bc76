/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** Why a session has failed. */
public enum SessionFailureReason {
    /** The worker that held it is gone: what it had in memory or on an own disk is gone, too. */
    WORKER_LOST,
    /** It was open for longer than its execution timeout. */
    EXPIRED,
    /** Its worker was drained, and it was not closed in time. */
    DRAINED,
    /** The store was restored from a backup that is older than what the session did. */
    STORE_RESTORED,
    /** Its worker was restarted, and a task of it has said so: see {@link SessionStateLostException}. */
    STATE_LOST,
    /**
     * The program that opened it is gone, or the attempt at a task that did is over, and it is not
     * {@linkplain SessionOptions#withDetachment() detached}.
     */
    OWNER_LOST,
    /** A release that this one does not know has said why. */
    UNKNOWN
}
