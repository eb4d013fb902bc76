/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * How a call of an actor keeps the state, as it travels with the call. For implementations; see {@link Actor#inMemory},
 * {@link Actor#checkpointed} and {@link Actor#withMigration}.
 *
 * @param inMemory whether the state stays where it is in memory and only its checkpoints are recorded
 * @param checkpointCalls after how many calls a checkpoint is made; 0 = never
 * @param save makes what is recorded of the state; null where there are no checkpoints
 * @param load makes the state of that
 * @param migrate makes the state of what other code has recorded; null where that is read as it is
 */
public record ActorStorage<S>(
        boolean inMemory,
        int checkpointCalls,
        @Nullable SerializableFunction<S, ?> save,
        @Nullable SerializableFunction<?, S> load,
        @Nullable SerializableFunction<FormerState, S> migrate)
        implements Serializable {

    /** The whole state is recorded after each call. */
    public static <S> ActorStorage<S> recorded() {
        return new ActorStorage<>(false, 0, null, null, null);
    }
}
