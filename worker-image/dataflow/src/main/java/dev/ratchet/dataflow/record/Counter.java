/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

/** What is counted in the store by atomic additions, which never conflict. */
public enum Counter {
    /** Requests that were appended to the log: the coordinator watches it. */
    APPENDED,
    /** Whatever processes have written that the coordinator waits for. */
    TOLD,
    /** Whatever the coordinator has written that processes wait for. */
    ORDERED,
    /** Bytes of the log that are in no step yet. */
    WAITING_BYTES,
    /** Bytes of the log. */
    LOGGED_BYTES
}
