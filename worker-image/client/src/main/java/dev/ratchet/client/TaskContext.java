/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Optional;

/**
 * What a running task may know of itself and do beyond its return value. Belongs to the thread that the task was
 * started on; hand it on to others that need it.
 */
public interface TaskContext {

    /**
     * The context of the task that the calling thread runs.
     *
     * @throws IllegalStateException if the thread does not run a task, or is one that a task has started
     */
    static TaskContext current() {
        return Implementation.provider()
                .task()
                .orElseThrow(() -> new IllegalStateException("The thread "
                        + Thread.currentThread().getName()
                        + " does not run a task. Ask on the thread that the task was started"
                        + " on, and hand the context on."));
    }

    /** The future that the task computes. */
    FutureId id();

    /** 1 for the first attempt that counts, more after failures and lost workers. */
    int attempt();

    /** The worker that runs it. */
    String seat();

    /** The session that the task belongs to, as the cluster knows it now; absent where it is of none. */
    Optional<SessionInfo> session();

    /**
     * Says how far the task is, for whoever asks while this attempt runs: see {@link FutureInfo#progress()}. Cheap
     * enough for each step: a few times a second the last word is sent, nothing waits for that, and it changes nothing
     * about the outcome.
     *
     * @param done at least 0, in units of the task's own
     * @param total at least 0; 0 where it is not known
     * @param note what the task is at, for people; at most {@link Progress#NOTE_LENGTH_MAX} characters
     * @throws InvalidInputException outside of these limits
     */
    void progress(long done, long total, String note);

    /** {@link #progress(long, long, String)} without a note. */
    default void progress(long done, long total) {
        progress(done, total, "");
    }

    /**
     * The cluster, as a client: what is submitted here is a child of this task, in its job unless told otherwise.
     * Awaiting anything on the task's own thread gives its slot to others meanwhile, so that tasks may wait for their
     * children at any depth on one worker with one slot. Closing it has no effect.
     *
     * <p>An attempt that is repeated finds the children of the former attempts again, running or done, where it submits
     * the same code with the same arguments; a cancelled task takes its children with it.
     */
    Ratchet ratchet();

    /** What the task keeps in the store under its tenant's name, changed together with its result or not at all. */
    TaskStore store();
}
