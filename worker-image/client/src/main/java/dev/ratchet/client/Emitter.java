/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * Where a generator puts its items. They are numbered from 0 on and recorded in this order, each once: after a lost or
 * failed attempt the next one runs from the beginning, and what it emits is dropped up to what is recorded. So a
 * generator that begins anew has to emit the same items again, or to ask {@link #resume()} where to go on.
 *
 * @param <T> type of the items
 */
public interface Emitter<T> {

    /**
     * Emits the next item; it is recorded soon after, with others. Waits, without occupying a slot, while more items
     * than were asked for are not read yet.
     *
     * @throws NotSerializableTaskException if the item can not be serialised
     * @throws InvalidInputException if it has more than 900,000 bytes: put it, and emit its id
     */
    void emit(T item) throws InterruptedException;

    /** The number of items that are recorded; the next one that is emitted has this number. */
    long resume();

    /** Waits until all that was emitted is recorded; how many items there are. */
    long flush() throws InterruptedException;
}
