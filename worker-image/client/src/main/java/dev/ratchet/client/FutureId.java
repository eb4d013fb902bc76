/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import java.util.UUID;

/**
 * Names one future for ever: ids are made by the client that submits. Random ones are never used again; the id of a
 * submit with a key follows from the key.
 *
 * @param value 128 bits; version 4 = random, 5 = of a key, 8 = one of a block of futures that were submitted together,
 *     numbered by the last 12 bits
 */
public record FutureId(UUID value) implements Serializable, Comparable<FutureId> {

    public FutureId {
        Objects.requireNonNull(value, "value");
    }

    /** A new id that nobody else has. */
    public static FutureId random() {
        return new FutureId(UUID.randomUUID());
    }

    /** The same from random bits of the caller's, of which six give way to the version and the variant. */
    public static FutureId ofRandom(long high, long low) {
        return new FutureId(new UUID(ofVersion(high, 4), ofVariant(low)));
    }

    /** The id of whatever is submitted by this tenant with this key: the same for ever and everywhere. */
    public static FutureId ofKey(String tenant, String key) {
        byte[] digest;
        try {
            digest = MessageDigest.getInstance("SHA-256")
                    .digest((tenant.length() + ":" + tenant + key).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java has SHA-256", impossible);
        }
        return ofDigest(digest);
    }

    /** Whether it was drawn at random, by itself or for a block, and does not follow from anything. */
    public boolean isDrawn() {
        return value.version() == 4 || value.version() == 8;
    }

    /** The id that stands for this hash, of which the first 16 bytes count. */
    public static FutureId ofDigest(byte[] digest) {
        ByteBuffer bits = ByteBuffer.wrap(digest);
        return new FutureId(new UUID(ofVersion(bits.getLong(), 5), ofVariant(bits.getLong())));
    }

    private static long ofVersion(long high, int version) {
        return (high & ~0xf000L) | ((long) version << 12);
    }

    private static long ofVariant(long low) {
        return (low & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    }

    /**
     * Reads what {@link #toString()} has written.
     *
     * @throws InvalidInputException if the text is no id
     */
    public static FutureId parse(String text) {
        try {
            UUID value = UUID.fromString(text);
            if (text.length() == 36) {
                return new FutureId(value);
            }
        } catch (IllegalArgumentException malformed) {
            throw new InvalidInputException(
                    "Not the id of a future: '" + text + "'. Give it as printed at submit.", malformed);
        }
        throw new InvalidInputException("Not the id of a future: '" + text + "'. Give it as printed at submit.");
    }

    @Override
    public int compareTo(FutureId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
