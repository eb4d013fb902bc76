/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Constants and code as text that is the same in every process, for operators are found again by what they say: no
 * address, no order of the JDK's, and of a user's function its code, not its name alone.
 */
final class ShownConstants {

    private static final String OWN_PACKAGE = "dev.ratchet.circuits.expression.";
    private static final int DIGEST_BYTES = 16;

    /** Of classes that are not ours. */
    private static final ClassValue<String> CODE = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> owner) {
            return owner.getName() + "@" + digest(owner);
        }
    };

    private ShownConstants() {}

    static String show(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> "'" + text.replace("'", "''") + "'";
            case byte[] bytes -> "X'" + HexFormat.of().formatHex(bytes) + "'";
            case List<?> items -> items.stream().map(ShownConstants::show).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> show(entry.getKey()) + "=" + show(entry.getValue()))
                        .sorted()
                        .collect(Collectors.joining(", ", "{", "}"));
            default -> value.toString();
        };
    }

    /** Says which class it is: ours by name, a user's by its bytes, too. */
    static String code(Class<?> owner) {
        return owner.getName().startsWith(OWN_PACKAGE)
                ? owner.getSimpleName().replace("Functions", "")
                : CODE.get(owner);
    }

    private static String digest(Class<?> owner) {
        String file = owner.getName().replaceAll(".*\\.", "") + ".class";
        try (InputStream bytes = owner.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalArgumentException(
                        "The code of " + owner.getName() + " can not be read: give it as a file of a jar or folder");
            }
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.readAllBytes());
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("The code of " + owner.getName() + " can not be read", unreadable);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java lacks SHA-256, which every Java must have", e);
        }
    }
}
