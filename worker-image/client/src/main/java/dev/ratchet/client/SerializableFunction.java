/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;

/**
 * Code with one argument that can be sent to a worker. What it captures is serialised with it at submit.
 *
 * @param <A> type of the argument
 * @param <T> type of the result, which must be serialisable
 */
@FunctionalInterface
public interface SerializableFunction<A, T> extends Serializable {
    /** Computes the result on a worker. Runs again from the start whenever an attempt fails or is lost. */
    T apply(A argument) throws Exception;
}
