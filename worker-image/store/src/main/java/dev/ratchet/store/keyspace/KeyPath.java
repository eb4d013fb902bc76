/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How people write keys: elements of a tuple with slashes between them. Invariant: what {@link #show} gives for a
 * tuple, {@link #parse} reads as the same tuple, so that whatever a listing shows can be asked for.
 *
 * <p>An element is an integer, a UUID, {@code true}, {@code false}, {@code null}, {@code 0x} and the hexadecimal digits
 * of bytes, {@code @} and the 24 digits of a versionstamp, or {@code ~} and the digits of anything else as the tuple
 * layer packs it. Everything else is text. What is text although it looks like one of those, or has slashes, is in
 * single quotes, within which a backslash stands before a quote, a backslash, and {@code u} with four digits.
 */
public final class KeyPath {

    private static final HexFormat HEX = HexFormat.of();
    private static final String UUID_FORM = "(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
    private static final Pattern IDENTIFIER = Pattern.compile(UUID_FORM);
    /** What bare text must not look like. */
    private static final Pattern SPECIAL =
            Pattern.compile("|'.*|0x.*|[@~].*|true|false|null|-?[0-9]+|" + UUID_FORM, Pattern.DOTALL);

    private static final int UNICODE_DIGITS = 4;

    private KeyPath() {}

    /** The tuple as text. */
    public static String show(Tuple key) {
        return key.getItems().stream().map(KeyPath::show).collect(Collectors.joining("/"));
    }

    private static String show(@Nullable Object element) {
        return switch (element) {
            case null -> "null";
            case String text -> isPlain(text) ? text : quoted(text);
            case byte[] bytes -> "0x" + HEX.formatHex(bytes);
            case Versionstamp stamp -> "@" + HEX.formatHex(stamp.getBytes());
            case Long number -> number.toString();
            case Integer number -> number.toString();
            case BigInteger number -> number.toString();
            case UUID id -> id.toString();
            case Boolean truth -> truth.toString();
            default -> "~" + HEX.formatHex(Tuple.fromList(List.of(element)).pack());
        };
    }

    private static boolean isPlain(String text) {
        return text.chars().noneMatch(c -> c == '/' || Character.isISOControl(c))
                && !SPECIAL.matcher(text).matches();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("'");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\'' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (Character.isISOControl(c)) {
                quoted.append("\\u").append(HEX.toHexDigits(c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('\'').toString();
    }

    /**
     * The tuple that a text means; the empty one for the empty text.
     *
     * @throws IllegalArgumentException naming the element and what is wrong with it
     */
    public static Tuple parse(String path) {
        Tuple key = new Tuple();
        int at = 0;
        while (!path.isEmpty() && at <= path.length()) {
            int end = path.startsWith("'", at) ? afterQuotes(path, at) : path.indexOf('/', at);
            end = end < 0 ? path.length() : end;
            if (end == at) {
                throw new IllegalArgumentException("Element " + (key.size() + 1) + " of path '" + path
                        + "' is empty: write MODULE/TABLE/ELEMENT without slashes at the ends");
            }
            key = key.addObject(element(path.substring(at, end)));
            at = end + 1;
        }
        return key;
    }

    private static int afterQuotes(String path, int at) {
        int end = at + 1;
        while (end < path.length() && path.charAt(end) != '\'') {
            end += path.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= path.length() || (end + 1 < path.length() && path.charAt(end + 1) != '/')) {
            throw new IllegalArgumentException(
                    "Text in single quotes must end with one, before a slash or the end: " + path.substring(at));
        }
        return end + 1;
    }

    private static @Nullable Object element(String text) {
        if (text.startsWith("'")) {
            return unquoted(text);
        }
        if (INTEGER.matcher(text).matches()) {
            return new BigInteger(text);
        }
        if (IDENTIFIER.matcher(text).matches()) {
            return UUID.fromString(text);
        }
        if (text.startsWith("0x")) {
            return bytes(text, 2, "hexadecimal number of whole bytes");
        }
        if (text.startsWith("@")) {
            byte[] stamp = bytes(text, 1, "versionstamp");
            if (stamp.length != Versionstamp.LENGTH) {
                throw refused(text, "versionstamp", null);
            }
            return Versionstamp.fromBytes(stamp);
        }
        if (text.startsWith("~")) {
            return packed(text);
        }
        return switch (text) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> text;
        };
    }

    private static String unquoted(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 1; i < text.length() - 1; i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                plain.append(c);
            } else if (text.charAt(++i) == 'u') {
                plain.append(character(text, i + 1));
                i += UNICODE_DIGITS;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }

    private static char character(String text, int from) {
        try {
            return (char) HexFormat.fromHexDigits(text, from, from + UNICODE_DIGITS);
        } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
            throw new IllegalArgumentException("In " + text + " four hexadecimal digits must follow \\u", malformed);
        }
    }

    private static byte[] bytes(String text, int from, String what) {
        try {
            return HEX.parseHex(text.substring(from));
        } catch (IllegalArgumentException malformed) {
            throw refused(text, what, malformed);
        }
    }

    private static @Nullable Object packed(String text) {
        List<Object> one;
        try {
            one = Tuple.fromBytes(HEX.parseHex(text.substring(1))).getItems();
        } catch (RuntimeException malformed) {
            throw refused(text, "packed element", malformed);
        }
        if (one.size() != 1) {
            throw refused(text, "packed element", null);
        }
        return one.get(0);
    }

    private static IllegalArgumentException refused(String text, String what, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "'" + text + "' is no " + what + ": put it in single quotes if it is text", cause);
    }
}
