/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;

/**
 * Code that yields many results, run by {@link Ratchet#generate}.
 *
 * @param <T> type of the items, serialisable
 */
@FunctionalInterface
public interface SerializableGenerator<T> extends Serializable {

    /** Emits the items; ends when there are no more. Throwing fails the attempt, and keeps what was emitted. */
    void generate(Emitter<T> out) throws Exception;
}
