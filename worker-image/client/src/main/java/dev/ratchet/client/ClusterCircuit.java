/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * The circuit of a cluster, as programs and tasks read it. What is read is as it is after one step, and no row of it is
 * of another: the newest step that the worker knows which is asked. A call waits while the circuit starts or recovers,
 * as long as the connection's timeout says; in a task up to ten minutes. Safe for use by several threads.
 *
 * <p>Limits: a view that is read has at most 256 MiB and so have all views of a query; an answer has at most 1,000,000
 * rows and 64 MiB; a query computes for at most 10 seconds.
 */
public interface ClusterCircuit {

    /**
     * All rows of a view, in the order of its columns; one that is there n times is listed n times.
     *
     * @param view as the program names it, or {@code errors} for what could not be computed
     * @throws InvalidInputException if the cluster has no circuit, its program no such view, or the answer is too large
     * @throws ConnectionException if the circuit does not run within the timeout
     */
    ViewSnapshot read(String view);

    /**
     * The answer to one SELECT over views, all of which are read after the same step.
     *
     * @throws InvalidInputException if the cluster has no circuit, or the query can not be compiled or computed, which
     *     names line and column where there are some, or takes too long, or its answer is too large
     * @throws ConnectionException if the circuit does not run within the timeout
     */
    ViewSnapshot query(String sql);
}
