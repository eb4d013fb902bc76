/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;

/**
 * Code with two arguments that can be sent to a worker, as {@link SerializableFunction} with one.
 *
 * @param <A> type of the first argument
 * @param <B> type of the second one
 * @param <T> type of the result, which must be serialisable
 */
@FunctionalInterface
public interface SerializableBiFunction<A, B, T> extends Serializable {
    /** Computes the result on a worker. */
    T apply(A first, B second) throws Exception;
}
