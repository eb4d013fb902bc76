/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** What a session is at. */
public enum SessionState {
    /** Has no slots yet. */
    WAITING,
    OPEN,
    /** Takes no futures any more; has its slots until what it runs has ended. */
    CLOSING,
    /** Its worker is lost; it goes on if the same seat is taken in time: {@link SessionOptions#withReestablishment}. */
    SUSPENDED,
    CLOSED,
    /** Its slots were not free in time. */
    CREATION_TIMED_OUT,
    /** Was closed while it waited. */
    CANCELLED,
    /** See {@link SessionFailureReason}. */
    FAILED
}
