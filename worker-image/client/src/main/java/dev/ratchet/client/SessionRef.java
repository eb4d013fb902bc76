/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/**
 * A reference to a session that can be stored, and handed to other tasks and programs. It is good for as long as the
 * session is open. Whoever has it can do what it permits: {@link #text()} is not for logs.
 *
 * @param id of the session
 * @param access what it permits
 * @param secretHex proves it, 32 hexadecimal digits
 */
public record SessionRef(UUID id, Access access, String secretHex) implements Serializable {

    /** What a reference permits. */
    public enum Access {
        /** To submit futures, and to close the session. */
        OWN,
        /** To submit futures. */
        USE
    }

    private static final String VERSION = "session-1";

    /** @throws InvalidInputException if the secret is none */
    public SessionRef {
        if (!secretHex.matches("[0-9a-f]{32}")) {
            throw new InvalidInputException("The secret of a session reference has 32 hexadecimal digits.");
        }
    }

    /** What {@link #parse} reads. */
    public String text() {
        return String.join(":", VERSION, id.toString(), access.name().toLowerCase(Locale.ROOT), secretHex);
    }

    /**
     * Reads a reference.
     *
     * @throws InvalidInputException if it is not what {@link #text()} returns
     */
    public static SessionRef parse(String text) {
        String[] parts = text.strip().split(":", -1);
        try {
            if (parts.length == 4 && parts[0].equals(VERSION)) {
                return new SessionRef(
                        UUID.fromString(parts[1]), Access.valueOf(parts[2].toUpperCase(Locale.ROOT)), parts[3]);
            }
        } catch (IllegalArgumentException malformed) {
            // Reported below.
        }
        throw new InvalidInputException("This is not a session reference, which begins with '" + VERSION
                + ":' and has four parts: it has " + text.length() + " characters and " + parts.length + " parts.");
    }

    /** The secret as bytes. */
    public byte[] secret() {
        return HexFormat.of().parseHex(secretHex);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return id + " (" + access + ")";
    }
}
