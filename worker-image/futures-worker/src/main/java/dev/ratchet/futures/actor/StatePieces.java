/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.UUID;

/**
 * Names the pieces of one state that is too large for the record of its actor. Each attempt at a call has a name of its
 * own, so that no two ever write the same keys.
 *
 * @param call that has left the state
 * @param epoch of the attempt
 * @param nonce of the attempt's claim
 * @param bytes size of the state or checkpoint, serialised
 * @param digest SHA-256 of it
 */
public record StatePieces(FutureId call, long epoch, long nonce, long bytes, ByteString digest) {

    private static final int DIGEST_BYTES = 32;

    /** What names them beside the attempt: nonce, size, digest. */
    private static final int REST_BYTES = 2 * Long.BYTES + DIGEST_BYTES;

    /** Those of what the attempt {@code token} at {@code call} leaves. */
    static StatePieces of(FutureId call, ClaimToken token, ByteString content) {
        return new StatePieces(call, token.getEpoch(), token.getNonce(), content.size(), digest(content));
    }

    /** As it was recorded by the attempt {@code writer}. */
    static StatePieces decode(ByteString writer, ByteString rest) {
        if (rest.size() != REST_BYTES) {
            throw new IllegalArgumentException("Pieces of a state are named by " + REST_BYTES + " bytes, not by "
                    + rest.size() + ": the record is damaged, or a later release has written it");
        }
        ByteBuffer fields = rest.asReadOnlyByteBuffer();
        return new StatePieces(
                Ids.read(writer.toByteArray(), 0),
                writer.asReadOnlyByteBuffer().getLong(Ids.BYTES),
                fields.getLong(),
                fields.getLong(),
                rest.substring(2 * Long.BYTES));
    }

    /** What is recorded of them, behind the name of the attempt. */
    ByteString encode() {
        return ByteString.copyFrom(ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(nonce)
                        .putLong(bytes)
                        .flip())
                .concat(digest);
    }

    /** How many there are. */
    public int count() {
        return ValueSizes.pieces(bytes);
    }

    /** What their keys begin with. */
    public List<Object> owner(UUID actor) {
        return List.of(actor, call.value(), epoch, nonce);
    }

    /** Whether this is what they were made of. */
    boolean areOf(ByteString content) {
        return content.size() == bytes && digest(content).equals(digest);
    }

    private static ByteString digest(ByteString content) {
        MessageDigest sha256 = Digests.sha256();
        content.asReadOnlyByteBufferList().forEach(sha256::update);
        return ByteString.copyFrom(sha256.digest());
    }
}
