/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;
import java.util.HexFormat;

/**
 * What is recorded of a state: how it is kept, which code has left it, and its bytes.
 *
 * @param kind how it is kept
 * @param isInPieces whether the state or checkpoint is in pieces, and the content names them: since level
 *     {@value #LEVEL_OF_PIECES} of formats
 * @param code names the code, {@value #CODE_BYTES} bytes; empty where it is not known
 * @param life names the call that has made the state in memory, or its last checkpoint; empty where all is recorded
 * @param content the serialised state or checkpoint; empty where there is none, see {@link StatePieces} for what is in
 *     pieces
 */
record StateImage(Kind kind, boolean isInPieces, ByteString code, ByteString life, ByteString content) {

    static final int CODE_BYTES = 32;
    static final int LIFE_BYTES = ActorStates.WRITER_BYTES;

    static final int LEVEL_OF_PIECES = 2;

    /** Added to the mark of a kind where the content is in pieces. */
    private static final int IN_PIECES = 2;

    /** What Java begins a serialised object with: that is all there was before images had a kind. */
    private static final byte SERIALISED = (byte) 0xac;

    /** How a state is kept. */
    enum Kind {
        /** The bytes are the state. */
        RECORDED(0),
        /** The state is in the memory of the worker that ran the last call. */
        IN_MEMORY(1);

        private final byte mark;

        Kind(int mark) {
            this.mark = (byte) mark;
        }
    }

    static final StateImage NONE =
            new StateImage(Kind.RECORDED, false, ByteString.EMPTY, ByteString.EMPTY, ByteString.EMPTY);

    static StateImage recorded(ByteString code, ByteString content) {
        return new StateImage(Kind.RECORDED, false, code, ByteString.EMPTY, content);
    }

    static StateImage inMemory(ByteString code, ByteString life, ByteString checkpoint) {
        return new StateImage(Kind.IN_MEMORY, false, code, life, checkpoint);
    }

    /** The image in a snapshot. */
    static StateImage of(ByteString bytes) {
        if (bytes.isEmpty()) {
            return NONE;
        }
        byte first = bytes.byteAt(0);
        if (first == SERIALISED) {
            return recorded(ByteString.EMPTY, bytes);
        }
        boolean isInPieces = isInPieces(bytes);
        Kind kind = first == Kind.RECORDED.mark + (isInPieces ? IN_PIECES : 0) ? Kind.RECORDED : Kind.IN_MEMORY;
        int life = 1 + CODE_BYTES;
        int content = life + (kind == Kind.RECORDED ? 0 : LIFE_BYTES);
        return new StateImage(
                kind, isInPieces, bytes.substring(1, life), bytes.substring(life, content), bytes.substring(content));
    }

    /** Whether the content of an image is in pieces. */
    static boolean isInPieces(ByteString bytes) {
        return !bytes.isEmpty()
                && (bytes.byteAt(0) == Kind.RECORDED.mark + IN_PIECES
                        || bytes.byteAt(0) == Kind.IN_MEMORY.mark + IN_PIECES);
    }

    /** The same with a content that is in pieces. */
    StateImage inPieces(StatePieces pieces) {
        return new StateImage(kind, true, code, life, pieces.encode());
    }

    ByteString bytes() {
        return ByteString.copyFrom(new byte[] {(byte) (kind.mark + (isInPieces ? IN_PIECES : 0))})
                .concat(code)
                .concat(life)
                .concat(content);
    }

    String codeName() {
        return HexFormat.of().formatHex(code.toByteArray());
    }
}
