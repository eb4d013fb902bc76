/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import org.jspecify.annotations.Nullable;

/** What a call of an actor is applied to: the state as the last call has left it. For implementations. */
public interface ActorState<S> {

    /** The state; null before the first call and after a reset. */
    @Nullable
    S get();

    /** What the call leaves; null for nothing. */
    void set(@Nullable S state);
}
