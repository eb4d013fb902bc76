/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.List;

/**
 * The circuit of a cluster, as programs and tasks use it. What is read is as it is after one step, and no row of it is
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

    /**
     * Feeds tasks: from now on, whoever is connected, each change of a view is the argument of one task of its own.
     * Exactly one future is submitted for each (view, step, row, ordinal), in the order of the steps, by the
     * transaction that notes how far the feed is; it runs like any other future, so it may be attempted more than once.
     * Returns when the feed is recorded: what is pushed from then on is fed.
     *
     * <p>With the name of a feed that is there, of the same view, task and options are replaced from the next future
     * on, and it goes on where it is, also where it had stopped. A circuit waits for feeds that are behind: it takes at
     * most 64 steps more than all of them, and keeps the input behind their positions.
     *
     * @param view as the program names it
     * @throws NotSerializableTaskException if the task can not be serialised
     * @throws InvalidInputException if the cluster has no circuit or no such view, a feed of this name is of another
     *     view, 64 feeds are there already, or the task has captured a future
     * @throws ConnectionException if the circuit does not run within the timeout
     */
    void forEach(FeedOptions feed, String view, SerializableFunction<ViewChange, ?> task);

    /**
     * Adds rows under a name, from the last sequence of that name on that the cluster knows. Nothing is sent yet.
     *
     * @param name up to 200 characters, and not beginning with {@code input:}
     * @throws InvalidInputException if the name can not be one
     */
    CircuitProducer producer(String name);

    /**
     * Has a listener hear a view from now on: first all of its rows after a step, and then what each step changes.
     * Returns at once; what goes wrong, also with the first step, {@link ViewSubscription#ended} tells.
     *
     * @param view as the program names it, or {@code errors}; with at most 1,000,000 rows
     */
    ViewSubscription subscribe(String view, ViewStepListener listener);

    /**
     * As {@link #subscribe(String, ViewStepListener)}, from behind a step that the program has heard or read, without
     * the rows that were there.
     *
     * @param afterStep from 0 on
     * @throws InvalidInputException if the step is negative
     */
    ViewSubscription subscribe(String view, long afterStep, ViewStepListener listener);

    /** The feeds of the cluster, by name. */
    List<FeedInfo> feeds();

    /** Ends a feed: it submits nothing any more, and its name is free. Whether there was one. */
    boolean endFeed(String name);
}
