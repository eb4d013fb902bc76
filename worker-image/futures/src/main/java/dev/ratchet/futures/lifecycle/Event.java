/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.lifecycle;

/** What happens to a future. Each is recorded in one transaction together with everything that follows from it. */
public enum Event {
    /** Submitted, with nothing to wait for. */
    SUBMIT,
    /** Submitted, with upstreams that are not done. */
    SUBMIT_WAITING,
    /** Submitted, with an upstream that has failed. */
    SUBMIT_DOOMED,
    /** All upstreams are done, or one has failed, which its worker will find. */
    UPSTREAMS_DONE,
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
    /** The result was lost more often than it may be computed again. */
    GIVE_UP
}
