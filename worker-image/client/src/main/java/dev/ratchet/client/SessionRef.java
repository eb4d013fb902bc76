/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

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
        return String.join(":", VERSION, id.toString(), word(access), secretHex);
    }

    /**
     * Reads a reference.
     *
     * @throws InvalidInputException if it is not what {@link #text()} returns
     */
    public static SessionRef parse(String text) {
        String[] parts = text.strip().split(":", -1);
        if (parts.length != 4) {
            throw malformed("has " + text.length() + " characters and " + parts.length + " parts, not four.");
        }
        if (!parts[0].equals(VERSION)) {
            throw malformed("begins with '" + parts[0] + "', not with '" + VERSION + "'.");
        }
        UUID id;
        try {
            id = UUID.fromString(parts[1]);
        } catch (IllegalArgumentException malformed) {
            throw malformed("names no session: '" + parts[1] + "' is no id.");
        }
        return Stream.of(Access.values())
                .filter(access -> word(access).equals(parts[2]))
                .findFirst()
                .map(access -> new SessionRef(id, access, parts[3]))
                .orElseThrow(() -> malformed("permits '" + parts[2] + "', which is neither 'own' nor 'use'."));
    }

    private static InvalidInputException malformed(String why) {
        return new InvalidInputException("This is not a session reference: it " + why);
    }

    private static String word(Access access) {
        return access.name().toLowerCase(Locale.ROOT);
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
