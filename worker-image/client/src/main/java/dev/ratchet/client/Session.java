/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * A session of the cluster; see {@link Sessions}. It stays open when its futures fail. It fails, once and for all, when
 * its worker is lost or its execution timeout is over: its futures that are not done fail then with
 * {@link SessionFailedException}, and so does each that is submitted later. Those submitted after it was closed fail
 * with {@link SessionClosedException}. May be used by several threads.
 */
public interface Session extends AutoCloseable {

    /** How a session ends. */
    enum CloseMode {
        /** Once its futures are done. */
        DRAIN,
        /** Its futures are cancelled, and their code is interrupted. */
        CANCEL
    }

    /**
     * What is known of it now.
     *
     * @throws SessionClosedException if it ended long ago
     */
    SessionInfo info();

    /**
     * A value by which others use this session, which can be stored.
     *
     * @throws InvalidInputException if this session was itself attached by a reference that permits less
     */
    SessionRef ref(SessionRef.Access access);

    /**
     * Runs a task on its worker.
     *
     * @param options without locality
     */
    <T> DurableFuture<T> submit(SubmitOptions options, SerializableCallable<T> task);

    /** {@link #submit(SubmitOptions, SerializableCallable)} with the default options. */
    <T> DurableFuture<T> submit(SerializableCallable<T> task);

    /**
     * Ends the session, and returns as soon as that is recorded. Its slots are free once none of its code runs any
     * more. Does nothing where it is over.
     *
     * @throws InvalidInputException if the reference that this was attached by may not close it
     */
    void close(CloseMode mode);

    /** {@link #close(CloseMode)} with {@link CloseMode#DRAIN}; of a session that may only be used it closes nothing. */
    @Override
    void close();
}
