/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;
import java.util.Optional;

/**
 * A recorded state of an actor.
 *
 * @param writer names the attempt that has left it, 24 bytes: id of the call and epoch; empty = there never was one
 * @param bytes the image of the state; empty = none
 */
public record ActorSnapshot(ByteString writer, ByteString bytes) {

    /** That of an actor without calls. */
    public static final ActorSnapshot NONE = new ActorSnapshot(ByteString.EMPTY, ByteString.EMPTY);

    /** Whether the state is in the memory of the worker that ran the last call. */
    public boolean isInMemory() {
        return StateImage.of(bytes).kind() == StateImage.Kind.IN_MEMORY;
    }

    /** What names its pieces; nothing where all of it is here. */
    public Optional<StatePieces> pieces() {
        return StateImage.isInPieces(bytes)
                ? Optional.of(StatePieces.decode(writer, StateImage.of(bytes).content()))
                : Optional.empty();
    }

    /** What is recorded when an attempt that began with this leaves other bytes; this one where it leaves the same. */
    public ActorSnapshot replacedBy(ByteString nextWriter, ByteString left) {
        return left.equals(bytes) || isInPiecesOf(StateImage.of(left)) ? this : new ActorSnapshot(nextWriter, left);
    }

    /** The same with a state or checkpoint that is in pieces. */
    public ActorSnapshot inPieces(StatePieces pieces) {
        return new ActorSnapshot(writer, StateImage.of(bytes).inPieces(pieces).bytes());
    }

    private boolean isInPiecesOf(StateImage whole) {
        return pieces().filter(pieces -> pieces.areOf(whole.content())
                        && whole.inPieces(pieces).bytes().equals(bytes))
                .isPresent();
    }
}
