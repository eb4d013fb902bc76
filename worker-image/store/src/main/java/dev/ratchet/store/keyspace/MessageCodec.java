/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.Parser;
import com.google.protobuf.TextFormat;

/** One byte of format id, then the message. See {@link Values#message}. */
final class MessageCodec<M extends MessageLite & MessageOrBuilder> implements ValueCodec<M> {

    private final byte formatId;
    private final int sinceLevel;
    private final Parser<M> parser;

    MessageCodec(int formatId, int sinceLevel, Parser<M> parser) {
        if (formatId < 1 || formatId > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("A format id is 1 to 127, not " + formatId);
        }
        this.formatId = (byte) formatId;
        this.sinceLevel = sinceLevel;
        this.parser = parser;
    }

    @Override
    public byte[] encode(M value, int level) {
        byte[] bytes = new byte[1 + value.getSerializedSize()];
        bytes[0] = (byte) (level < sinceLevel ? formatId - 1 : formatId);
        System.arraycopy(value.toByteArray(), 0, bytes, 1, bytes.length - 1);
        return bytes;
    }

    @Override
    public M decode(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] < 1 || bytes[0] > formatId || bytes[0] < formatId - 1) {
            throw new ValueFormatException("The value has format " + (bytes.length == 0 ? "none" : bytes[0])
                    + ", this release reads " + Math.max(1, formatId - 1) + " to " + formatId
                    + ": use a release between the one that wrote it and this one");
        }
        try {
            return parser.parseFrom(bytes, 1, bytes.length - 1);
        } catch (InvalidProtocolBufferException damaged) {
            throw new ValueFormatException(
                    "The value of " + bytes.length + " bytes is not a message of its format", damaged);
        }
    }

    @Override
    public String describe(M value) {
        return TextFormat.printer().printToString(value).strip().replaceAll("\\s*\n\\s*", " ");
    }
}
