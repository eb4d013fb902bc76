/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;
import java.util.HexFormat;

/**
 * What is recorded of a state: how it is kept, which code has left it, and its bytes.
 *
 * @param kind how it is kept
 * @param code names the code, {@value #CODE_BYTES} bytes; empty where it is not known
 * @param life names the call that has made the state in memory, or its last checkpoint; empty where all is recorded
 * @param content the serialised state or checkpoint; empty where there is none
 */
record StateImage(Kind kind, ByteString code, ByteString life, ByteString content) {

    static final int CODE_BYTES = 32;
    static final int LIFE_BYTES = ActorStates.WRITER_BYTES;

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

    static final StateImage NONE = new StateImage(Kind.RECORDED, ByteString.EMPTY, ByteString.EMPTY, ByteString.EMPTY);

    static StateImage recorded(ByteString code, ByteString content) {
        return new StateImage(Kind.RECORDED, code, ByteString.EMPTY, content);
    }

    static StateImage inMemory(ByteString code, ByteString life, ByteString checkpoint) {
        return new StateImage(Kind.IN_MEMORY, code, life, checkpoint);
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
        ByteString code = bytes.substring(1, 1 + CODE_BYTES);
        ByteString rest = bytes.substring(1 + CODE_BYTES);
        return first == Kind.RECORDED.mark
                ? recorded(code, rest)
                : inMemory(code, rest.substring(0, LIFE_BYTES), rest.substring(LIFE_BYTES));
    }

    ByteString bytes() {
        return ByteString.copyFrom(new byte[] {kind.mark})
                .concat(code)
                .concat(life)
                .concat(content);
    }

    String codeName() {
        return HexFormat.of().formatHex(code.toByteArray());
    }
}
