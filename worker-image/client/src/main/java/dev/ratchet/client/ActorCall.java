/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import org.jspecify.annotations.Nullable;

/**
 * A call of an actor as it travels.
 *
 * @param create makes the state where there is none
 * @param body what is run on it
 * @param storage how the state is kept; null = recorded after each call
 */
public record ActorCall<S, T>(
        SerializableCallable<S> create,
        SerializableFunction<S, T> body,
        @Nullable ActorStorage<S> storage) implements SerializableFunction<ActorState<S>, T> {

    @Override
    public T apply(ActorState<S> state) throws Exception {
        S present = state.get();
        if (present == null) {
            present = create.call();
        }
        if (storage != null && storage.inMemory()) {
            state.set(present); // It stays whatever becomes of this call.
        }
        T result = body.apply(present);
        state.set(present);
        return result;
    }
}
