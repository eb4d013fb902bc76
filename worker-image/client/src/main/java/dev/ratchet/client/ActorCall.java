/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * A call of an actor as it travels.
 *
 * @param create makes the state where there is none
 * @param body what is run on it
 */
public record ActorCall<S, T>(SerializableCallable<S> create, SerializableFunction<S, T> body)
        implements SerializableFunction<ActorState<S>, T> {

    @Override
    public T apply(ActorState<S> state) throws Exception {
        S present = state.get();
        if (present == null) {
            present = create.call();
        }
        T result = body.apply(present);
        state.set(present);
        return result;
    }
}
