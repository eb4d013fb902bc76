/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.LargeState;
import dev.ratchet.futures.record.Effects;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.Result;
import java.util.Map;
import java.util.Optional;

/** How an attempt has ended on this worker, before it is recorded. */
public sealed interface Outcome {

    /**
     * The code returned; its value is in the result or in the local object store.
     *
     * @param effects what is to be stored with it
     * @param left the state of the actor that it leaves, if that is all that is to be stored with it
     * @param large what of that state must be in the store before this is recorded
     */
    record Realized(Result result, Effects effects, Optional<ActorSnapshot> left, Optional<LargeState> large)
            implements Outcome {
        public Realized(Result result) {
            this(result, Effects.NONE, Optional.empty(), Optional.empty());
        }

        @Override
        public boolean isAlone() {
            return left.isEmpty() && !effects.isEmpty();
        }

        @Override
        public long bytes() {
            return result.getSerializedSize()
                    + left.map(state -> (long) state.bytes().size()).orElse(0L);
        }
    }

    /** What must hold and change in the store when this is recorded. */
    default Effects effects() {
        return Effects.NONE;
    }

    /** What must be in the store before this is recorded. */
    default Optional<LargeState> large() {
        return Optional.empty();
    }

    /** What recording it writes beside the record of the future, as far as that may be much. */
    default long bytes() {
        return 0;
    }

    /** Whether it has to be recorded by a transaction of its own. */
    default boolean isAlone() {
        return false;
    }

    /**
     * It did not work.
     *
     * @param permanent whether another attempt would fail in the same way
     */
    record Failed(Failure failure, boolean permanent) implements Outcome {}

    /**
     * A block was run, to its end or not.
     *
     * @param ended how those of its futures that were started have ended; empty: still going on
     */
    record OfBlock(Map<FutureId, Optional<Outcome>> ended) implements Outcome {}

    /** It was not run to its end, through no fault of its own. */
    record GivenBack() implements Outcome {}
}
