/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.google.protobuf.MessageLite;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.Parser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.UUID;

/** The encodings that tables use. */
public final class Values {

    private Values() {}

    /**
     * Protobuf messages behind one byte of format id, in their first form, whose id is 1. Unknown fields survive
     * reading and writing, so adding a field needs no new id; a new id is for a change that the release before must not
     * take for its own.
     */
    public static <M extends MessageLite & MessageOrBuilder> ValueCodec<M> message(Parser<M> parser) {
        return new MessageCodec<>(1, 1, parser);
    }

    /**
     * As {@link #message(Parser)}, in a later form. Reads {@code formatId} and the one before it; writes
     * {@code formatId} from {@code sinceLevel} on and the one before it below.
     *
     * @param formatId 2 to 127
     * @param sinceLevel the level of recorded formats that the release with this form brought
     */
    public static <M extends MessageLite & MessageOrBuilder> ValueCodec<M> message(
            int formatId, int sinceLevel, Parser<M> parser) {
        return new MessageCodec<>(formatId, sinceLevel, parser);
    }

    /**
     * A signed 64-bit little-endian integer, which atomic ADD, MIN and MAX work on. The one encoding without format id.
     */
    public static ValueCodec<Long> counter() {
        return new ValueCodec<>() {
            @Override
            public byte[] encode(Long value, int level) {
                return ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array();
            }

            @Override
            public Long decode(byte[] bytes) {
                if (bytes.length != Long.BYTES) {
                    throw new ValueFormatException("A counter has 8 bytes, not " + bytes.length);
                }
                return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
            }

            @Override
            public String describe(Long value) {
                return Long.toString(value);
            }
        };
    }

    /**
     * Bytes as they are, such as chunks of something larger that carries its own format; shown by length and beginning.
     */
    public static ValueCodec<byte[]> bytes() {
        return new BytesCodec();
    }

    /**
     * Bytes that are ids of 16 bytes one after the other, and at the end perhaps a number of 8, most significant first.
     */
    public static ValueCodec<byte[]> ids() {
        return new BytesCodec() {
            private static final int ID_BYTES = 2 * Long.BYTES;

            @Override
            public String describe(byte[] value) {
                if (value.length % Long.BYTES != 0) {
                    return super.describe(value);
                }
                StringJoiner shown = new StringJoiner(" ");
                ByteBuffer bytes = ByteBuffer.wrap(value);
                while (bytes.remaining() >= ID_BYTES) {
                    shown.add(new UUID(bytes.getLong(), bytes.getLong()).toString());
                }
                if (bytes.hasRemaining()) {
                    shown.add(Long.toString(bytes.getLong()));
                }
                return shown.toString();
            }
        };
    }

    private static class BytesCodec implements ValueCodec<byte[]> {
        private static final int SHOWN_BYTES = 64;

        @Override
        public byte[] encode(byte[] value, int level) {
            return value;
        }

        @Override
        public byte[] decode(byte[] bytes) {
            return bytes;
        }

        @Override
        public String describe(byte[] value) {
            byte[] shown = value.length > SHOWN_BYTES ? Arrays.copyOf(value, SHOWN_BYTES) : value;
            return value.length + " bytes " + ByteArrayUtil.printable(shown) + (shown == value ? "" : "...");
        }
    }
}
