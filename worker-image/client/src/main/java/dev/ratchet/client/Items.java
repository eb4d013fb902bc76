/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Iterator;
import java.util.stream.Stream;

/**
 * The results of a generator: a sequence that is recorded item by item and stays until its future is deleted. Whoever
 * reads furthest sets its pace; any number of readers may follow, from any item on, at any time, from anywhere.
 *
 * @param <T> type of the items
 */
public interface Items<T> {

    /** The generator itself; its value is the number of items. Cancelling it ends the sequence where it is. */
    DurableFuture<Long> future();

    /**
     * The items from number {@code first} on; asking for the next one waits for it. After the last one it ends, or
     * throws what {@link DurableFuture#get} of {@link #future()} would throw. Used by one thread.
     *
     * @throws InvalidInputException if {@code first} is negative; asking for an item throws it if the future is no
     *     generator
     */
    Iterator<T> iterator(long first);

    /** All items, as {@link #iterator}. */
    Stream<T> stream();
}
