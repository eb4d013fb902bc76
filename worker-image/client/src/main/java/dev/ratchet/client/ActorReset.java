/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * The call that removes the state of an actor.
 *
 * @param create is not run: it says whose code the state is of
 */
public record ActorReset<S>(SerializableCallable<S> create) implements SerializableFunction<ActorState<S>, Boolean> {

    @Override
    public Boolean apply(ActorState<S> state) {
        boolean present = state.get() != null;
        state.set(null);
        return present;
    }
}
