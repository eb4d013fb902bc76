/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;

/**
 * What a call is given of its actor.
 *
 * @param recorded the state as it is recorded
 * @param content what the record has in pieces; empty where it has none, or the state is in the memory of this worker
 * @param bytesMax largest state that the call may leave, serialised
 */
public record GivenState(ActorSnapshot recorded, ByteString content, int bytesMax) {

    /** That of what calls no actor. */
    public static final GivenState NONE = of(ActorSnapshot.NONE, ActorStates.RECORD_BYTES_MAX);

    /** A state all of which is in its record. */
    public static GivenState of(ActorSnapshot recorded, int bytesMax) {
        return new GivenState(recorded, ByteString.EMPTY, bytesMax);
    }
}
