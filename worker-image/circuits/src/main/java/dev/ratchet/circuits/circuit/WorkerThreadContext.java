/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowSchema;
import java.util.function.IntFunction;

/** What an operator gets when it is made: its worker thread, what worker threads share, and its state. */
public interface WorkerThreadContext {

    /** The number of this worker thread among those of all processes. */
    int workerThread();

    /** Worker threads of all processes. */
    int workerThreads();

    /** The hashes that this worker thread owns. */
    HashRanges ranges();

    /** The operator of another node in this worker thread, made before. */
    Operator operatorOf(Node node);

    /**
     * One object for this node in all worker threads of this process, made by the first one that asks from their
     * number.
     */
    <T> T shared(IntFunction<T> create);

    /** The state with this name of the operator that is being made, as it was last committed. */
    Trace trace(String name, RowSchema schema);

    /** Whether the rows of views are kept, to be read at any time. */
    boolean keepsViews();

    /** How much of the heap operators may take to find faster what they have in their traces. */
    CacheShares cache();

    /** The low watermarks of the tables. */
    Watermarks watermarks();

    /** Whether the operator is inside of a recursion. */
    boolean nested();

    /** The iteration of the recursion around the operator; its value stays 0 outside of one. */
    Iteration iteration();
}
