/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Owns hashes of objects: of what was asked for, never of what the API server made of it, because it adds defaults.
 * Equal content gives equal hashes whatever the order of its maps.
 */
public final class Revision {
    private static final int SHORT_DIGITS = 10;
    private static final ObjectMapper MAPPER =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private Revision() {}

    /** Ten hexadecimal digits, enough to tell the versions of one object apart and short enough for a name. */
    public static String shortHash(Object content) {
        return digest(content).substring(0, SHORT_DIGITS);
    }

    /** {@code sha256:<hex>} of the canonical text. */
    public static String sha256(Object content) {
        return "sha256:" + digest(content);
    }

    /** The tree of an object, without what is null. */
    public static JsonNode tree(Object content) {
        return MAPPER.valueToTree(content);
    }

    private static String digest(Object content) {
        try {
            // Through maps, because only those are written in the order of their keys.
            Object plain = MAPPER.treeToValue(MAPPER.valueToTree(content), Object.class);
            byte[] text = MAPPER.writeValueAsString(plain).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("an object that can not be written as JSON has no revision", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
