/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.client.ViewSnapshot;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The circuit's views as the gateway reads them for clients and tasks. What fails with an IllegalArgumentException is
 * told as the caller's mistake, with a StatusRuntimeException as that says, anything else as what may be tried again.
 * Never blocks; safe for use by several threads.
 */
public interface ViewSource {

    /** All rows of a view after one step. */
    CompletableFuture<ViewSnapshot> read(String view);

    /** The answer to one SELECT over views that are read after the same step. */
    CompletableFuture<ViewSnapshot> query(String sql);

    /**
     * Tells what happens to a view, until the follower has ended or the view can not be followed any more. A thread of
     * its own waits for the follower.
     *
     * @param after the step behind which it begins, at least 0; empty: with a snapshot
     */
    CompletableFuture<Void> follow(String view, Optional<Long> after, ViewFollower follower);
}
