/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Optional;

/** What an implementation of this API offers to {@link Ratchet#connect}, found by {@link java.util.ServiceLoader}. */
public interface RatchetProvider {

    /**
     * Connects to a cluster, as {@link Ratchet#connect} says.
     *
     * @throws InvalidInputException if the connection document can not be used
     * @throws ConnectionException if no endpoint answers within the connect timeout
     */
    Ratchet connect(ConnectionOptions options);

    /** The task that the calling thread runs, if this process is a worker and the thread runs one. */
    Optional<TaskContext> task();
}
