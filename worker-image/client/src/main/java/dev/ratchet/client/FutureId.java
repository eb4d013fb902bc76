/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import java.util.Objects;
import java.util.UUID;

/**
 * Names one future for ever: ids are made by the client that submits and are never used again.
 *
 * @param value 128 random bits
 */
public record FutureId(UUID value) implements Serializable, Comparable<FutureId> {

    public FutureId {
        Objects.requireNonNull(value, "value");
    }

    /** A new id that nobody else has. */
    public static FutureId random() {
        return new FutureId(UUID.randomUUID());
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
