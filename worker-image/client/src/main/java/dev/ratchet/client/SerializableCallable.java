/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import java.util.concurrent.Callable;

/**
 * Code without an argument that can be sent to a worker: a lambda, a method reference or an object of a class of the
 * user's artifacts. What it captures is serialised with it at submit.
 *
 * @param <T> type of the result, which must be serialisable
 */
@FunctionalInterface
public interface SerializableCallable<T> extends Callable<T>, Serializable {}
