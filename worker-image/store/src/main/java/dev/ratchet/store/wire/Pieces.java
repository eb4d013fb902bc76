/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.ratchet.protocol.store.v1.Piece;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts messages that are too large for a frame into pieces, and puts them together again. What is under way in pieces
 * is limited in sum, so that a peer can not make this side remember without bound. Used by one thread at a time.
 */
public final class Pieces {

    private static final long UNFINISHED_BYTES = 4L * StoreProtocol.PIECED_MESSAGE_BYTES;

    private final Map<Long, ByteString> unfinished = new HashMap<>();
    private long unfinishedBytes;

    /** Gives the pieces of a large message in order to {@code add}; false, without doing anything, for a small one. */
    public static boolean cut(MessageLite message, Consumer<Piece> add) {
        if (message.getSerializedSize() <= StoreProtocol.PIECE_BYTES) {
            return false;
        }
        ByteString bytes = message.toByteString();
        for (int from = 0; from < bytes.size(); from += StoreProtocol.PIECE_BYTES) {
            int to = Math.min(bytes.size(), from + StoreProtocol.PIECE_BYTES);
            add.accept(Piece.newBuilder()
                    .setBytes(bytes.substring(from, to))
                    .setLast(to == bytes.size())
                    .build());
        }
        return true;
    }

    /**
     * Takes the next piece of message {@code id}.
     *
     * @return all its bytes with the last piece, null before
     * @throws IllegalStateException if the message, or all unfinished ones together, grow over the limit
     */
    public @Nullable ByteString add(long id, Piece piece) {
        ByteString bytes = unfinished.getOrDefault(id, ByteString.EMPTY).concat(piece.getBytes());
        unfinishedBytes += piece.getBytes().size();
        if (bytes.size() > StoreProtocol.PIECED_MESSAGE_BYTES || unfinishedBytes > UNFINISHED_BYTES) {
            throw new IllegalStateException("Message " + id + " in pieces has " + bytes.size() + " bytes (limit "
                    + StoreProtocol.PIECED_MESSAGE_BYTES + "), all unfinished ones " + unfinishedBytes + " (limit "
                    + UNFINISHED_BYTES + ")");
        }
        if (!piece.getLast()) {
            unfinished.put(id, bytes);
            return null;
        }
        unfinished.remove(id);
        unfinishedBytes -= bytes.size();
        return bytes;
    }
}
