/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A listener that hears the steps of a view until it is closed. It goes on by itself where a worker is gone or the
 * circuit recovers, behind the last step that was heard, for as long as that takes. A task closes it before it ends.
 * Safe for use by several threads.
 */
public interface ViewSubscription extends AutoCloseable {

    /**
     * The last step that the listener has heard, behind which another subscription resumes; empty before the first. A
     * program that crashes resumes behind the step that it has noted together with what it made of it.
     */
    OptionalLong step();

    /**
     * Completes when the subscription is closed, and fails with
     *
     * <ul>
     *   <li>{@link InvalidInputException} if the cluster has no circuit or no such view, or a step has more than
     *       1,000,000 changes,
     *   <li>{@link StepExpiredException} if changes behind the last step are not kept any more,
     *   <li>{@link ConnectionException} if the workers do not accept this client, or the connection is closed,
     *   <li>what the listener has thrown.
     * </ul>
     */
    CompletableFuture<Void> ended();

    /** Ends it. A call of the listener that has begun may still run. */
    @Override
    void close();
}
