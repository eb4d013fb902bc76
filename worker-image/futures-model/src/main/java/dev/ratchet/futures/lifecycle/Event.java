/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.lifecycle;

/** What happens to a future. Each is recorded in one transaction together with everything that follows from it. */
public enum Event {
    /** Submitted, with nothing to wait for but a worker or a time. */
    SUBMIT,
    /** Submitted, with upstreams that are not done. */
    SUBMIT_WAITING,
    /** Submitted, with an upstream that has failed. */
    SUBMIT_DOOMED,
    /** Submitted with its value. */
    SUBMIT_REALIZED,
    /** All upstreams are done, or one has failed, which its worker will find. */
    UPSTREAMS_DONE,
    /** The time before which it must not start has come. */
    DUE,
    /** Queues elsewhere: its priority has changed, or its seat is gone. */
    MOVE,
    /** No worker is large enough for it, and it does not wait for one. */
    FORSAKE,
    /** A worker takes it; counts as an attempt. */
    CLAIM,
    /** The worker returns it without having failed; the attempt does not count. */
    GIVE_BACK,
    /** The worker found that an upstream's result is lost and is computed again; the attempt does not count. */
    AWAIT_UPSTREAM,
    /** The attempt failed or was lost with its worker, and more are allowed. */
    RETRY,
    /** The attempt failed or was lost, and no more are allowed or sensible. */
    EXHAUST,
    /** The result is there. */
    REALIZE,
    /** Somebody wants it to end. */
    CANCEL,
    /** No worker holds the result any more. */
    LOSE,
    /** Somebody needs the lost result. */
    RECONSTRUCT,
    /** The lost result may not be computed again, or not another time. */
    GIVE_UP,
    /** Its user or its retention removes it with its result. */
    DELETE
}
