/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import org.jspecify.annotations.Nullable;

/**
 * A read of an actor as it travels.
 *
 * @param create makes a state where there is none, which is not kept
 * @param body what is run on a copy of the state
 * @param storage how the state is kept; null = recorded after each call
 */
public record ActorRead<S, T>(
        SerializableCallable<S> create,
        SerializableFunction<S, T> body,
        @Nullable ActorStorage<S> storage) implements SerializableFunction<ActorState<S>, T> {

    @Override
    public T apply(ActorState<S> state) throws Exception {
        S present = state.get();
        return body.apply(present == null ? create.call() : present);
    }
}
