/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Text counted in code points from 1, ordered by code point, in the root locale; and bytes. */
public final class TextFunctions {

    private static final int PATTERNS_MAX = 256;
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    /** A longer result is refused, as no row could hold it. */
    static final int LENGTH_MAX = 1 << 24;

    private TextFunctions() {}

    public static boolean equal(String left, String right) {
        return left.equals(right);
    }

    public static boolean less(String left, String right) {
        return compare(left, right) < 0;
    }

    /** By code points, which is the order of the UTF-8 bytes. */
    static int compare(String left, String right) {
        int common = Math.min(left.length(), right.length());
        for (int i = 0; i < common; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean bothOutside = Character.isSurrogate(a) == Character.isSurrogate(b);
                return bothOutside ? Character.compare(a, b) : Character.isSurrogate(a) ? 1 : -1;
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    public static boolean equalBytes(byte[] left, byte[] right) {
        return Arrays.equals(left, right);
    }

    public static boolean lessBytes(byte[] left, byte[] right) {
        return Arrays.compareUnsigned(left, right) < 0;
    }

    public static String concatenate(String left, String right) {
        return limited(left.length() + (long) right.length()) ? left + right : "";
    }

    private static boolean limited(long length) {
        if (length > LENGTH_MAX) {
            throw new ArithmeticException("A text of " + length + " characters; the limit is " + LENGTH_MAX);
        }
        return true;
    }

    public static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    public static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    public static String initialCapitals(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean inside = false;
        for (int c : text.codePoints().toArray()) {
            out.appendCodePoint(inside ? Character.toLowerCase(c) : Character.toUpperCase(c));
            inside = Character.isLetterOrDigit(c);
        }
        return out.toString();
    }

    public static long length(String text) {
        return text.codePointCount(0, text.length());
    }

    public static long byteLength(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    public static long lengthOfBytes(byte[] bytes) {
        return bytes.length;
    }

    public static String substringFrom(String text, long start) {
        return substring(text, start, Long.MAX_VALUE);
    }

    /** By the standard: a start before 1 counts against the length. */
    public static String substring(String text, long start, long length) {
        if (length < 0) {
            throw new ArithmeticException("SUBSTRING of length " + length + "; it must not be negative");
        }
        long end = length == Long.MAX_VALUE || start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length;
        int total = text.codePointCount(0, text.length());
        int from = (int) Math.max(1, Math.min(start, total + 1L));
        int to = (int) Math.max(from, Math.min(end, total + 1L));
        if (total == text.length()) {
            return text.substring(from - 1, to - 1);
        }
        int first = text.offsetByCodePoints(0, from - 1);
        return text.substring(first, text.offsetByCodePoints(first, to - from));
    }

    public static String left(String text, long length) {
        long total = length(text);
        return substring(text, 1, length >= 0 ? length : Math.max(0, total + length));
    }

    public static String right(String text, long length) {
        long total = length(text);
        long kept = length >= 0 ? Math.min(length, total) : Math.max(0, total + length);
        return substringFrom(text, total - kept + 1);
    }

    /** Where a part begins, from 1; 0 where it does not occur. */
    public static long position(String part, String text) {
        int at = text.indexOf(part);
        return at < 0 ? 0 : text.codePointCount(0, at) + 1L;
    }

    public static long positionFrom(String part, String text, long start) {
        if (start < 1 || start > length(text) + 1) {
            return 0;
        }
        int at = text.indexOf(part, text.offsetByCodePoints(0, (int) start - 1));
        return at < 0 ? 0 : text.codePointCount(0, at) + 1L;
    }

    public static String replace(String text, String part, String by) {
        return part.isEmpty() ? text : text.replace(part, by);
    }

    public static String overlay(String text, String by, long start, long length) {
        return substring(text, 1, Math.max(0, start - 1)) + by + substringFrom(text, start + length);
    }

    public static String trimBoth(String characters, String text) {
        return trimLeading(characters, trimTrailing(characters, text));
    }

    public static String trimLeading(String characters, String text) {
        int from = 0;
        while (from < text.length() && characters.indexOf(text.codePointAt(from)) >= 0) {
            from += Character.charCount(text.codePointAt(from));
        }
        return text.substring(from);
    }

    public static String trimTrailing(String characters, String text) {
        int to = text.length();
        while (to > 0 && characters.indexOf(text.codePointBefore(to)) >= 0) {
            to -= Character.charCount(text.codePointBefore(to));
        }
        return text.substring(0, to);
    }

    public static String repeat(String text, long times) {
        long count = Math.max(0, times);
        limited(text.isEmpty() ? 0 : Math.multiplyExact(count, (long) text.length()));
        return text.isEmpty() ? text : text.repeat((int) count);
    }

    public static String reverse(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    public static String padLeft(String text, long length, String by) {
        return padding(text, length, by) + left(text, Math.max(0, length));
    }

    public static String padRight(String text, long length, String by) {
        return left(text, Math.max(0, length)) + padding(text, length, by);
    }

    private static String padding(String text, long length, String by) {
        limited(length);
        long missing = length - length(text);
        return missing <= 0 || by.isEmpty() ? "" : left(by.repeat((int) (missing / length(by)) + 1), missing);
    }

    /** The part of this number, from 1, or from the end where it is negative; empty where there is none. */
    public static String splitPart(String text, String delimiter, long number) {
        if (number == 0) {
            throw new ArithmeticException("SPLIT_PART number 0; parts are counted from 1");
        }
        if (delimiter.isEmpty()) {
            return number == 1 || number == -1 ? text : "";
        }
        long skipped = number > 0 ? number - 1 : partCount(text, delimiter) + number;
        int from = 0;
        for (long part = 0; part < skipped; part++) {
            int end = text.indexOf(delimiter, from);
            if (end < 0) {
                return "";
            }
            from = end + delimiter.length();
        }
        int end = text.indexOf(delimiter, from);
        return skipped < 0 ? "" : end < 0 ? text.substring(from) : text.substring(from, end);
    }

    private static long partCount(String text, String delimiter) {
        long parts = 1;
        for (int at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + delimiter.length())) {
            parts++;
        }
        return parts;
    }

    public static boolean startsWith(String text, String prefix) {
        return text.startsWith(prefix);
    }

    public static boolean endsWith(String text, String suffix) {
        return text.endsWith(suffix);
    }

    public static long codePoint(String text) {
        return text.isEmpty() ? 0 : text.codePointAt(0);
    }

    public static String ofCodePoint(long codePoint) {
        if (codePoint < 0 || codePoint > Character.MAX_CODE_POINT) {
            throw new ArithmeticException(codePoint + " is not a code point");
        }
        return Character.toString((int) codePoint);
    }

    public static String spaces(long count) {
        return repeat(" ", count);
    }

    /** Each character of the text that is among some becomes the one at its place among others, or nothing. */
    public static String translate(String text, String from, String to) {
        int[] sought = from.codePoints().toArray();
        int[] given = to.codePoints().toArray();
        StringBuilder result = new StringBuilder();
        text.codePoints().forEach(c -> {
            int at = 0;
            while (at < sought.length && sought[at] != c) {
                at++;
            }
            if (at == sought.length) {
                result.appendCodePoint(c);
            } else if (at < given.length) {
                result.appendCodePoint(given[at]);
            }
        });
        return result.toString();
    }

    /** The parts between delimiters. */
    public static List<String> split(String text, String delimiter) {
        return text.isEmpty() || delimiter.isEmpty()
                ? List.of(text)
                : List.of(text.split(Pattern.quote(delimiter), -1));
    }

    /** The number of characters to insert, remove or replace to make one text the other. */
    public static long editDistance(String left, String right) {
        int[] rows = left.codePoints().toArray();
        int[] columns = right.codePoints().toArray();
        long[] distances = new long[columns.length + 1];
        Arrays.setAll(distances, i -> i);
        for (int row = 0; row < rows.length; row++) {
            long diagonal = distances[0];
            distances[0] = row + 1L;
            for (int column = 0; column < columns.length; column++) {
                long replaced = diagonal + (rows[row] == columns[column] ? 0 : 1);
                diagonal = distances[column + 1];
                distances[column + 1] = Math.min(replaced, 1 + Math.min(diagonal, distances[column]));
            }
        }
        return distances[columns.length];
    }

    /** SQL's own regular expressions: a LIKE pattern with | * + ? { } ( ) [ ], over the whole text. */
    public static boolean similar(String text, String pattern) {
        StringBuilder expression = new StringBuilder();
        for (int c : pattern.codePoints().toArray()) {
            switch (c) {
                case '%' -> expression.append(".*");
                case '_' -> expression.append('.');
                case '.', '\\', '^', '$' -> expression.append('\\').append((char) c);
                default -> expression.appendCodePoint(c);
            }
        }
        return compile(expression.toString()).matcher(text).matches();
    }

    /** Expressions are constants of programs almost always; where they are columns, the cache begins anew when full. */
    private static Pattern compile(String expression) {
        Pattern known = PATTERNS.get(expression);
        if (known != null) {
            return known;
        }
        try {
            Pattern pattern = Pattern.compile(expression, Pattern.DOTALL);
            if (PATTERNS.size() >= PATTERNS_MAX) {
                PATTERNS.clear();
            }
            PATTERNS.put(expression, pattern);
            return pattern;
        } catch (PatternSyntaxException e) {
            throw new ArithmeticException("'" + expression + "' is not a regular expression: " + e.getDescription()
                    + " at character " + e.getIndex());
        }
    }

    public static boolean like(String text, LikePattern pattern) {
        return pattern.matches(text);
    }

    public static boolean likeText(String text, String pattern) {
        return new LikePattern(pattern, "", false).matches(text);
    }

    public static boolean matches(String text, String expression) {
        return compile(expression).matcher(text).find();
    }

    public static String replaceMatches(String text, String expression, String by) {
        return compile(expression).matcher(text).replaceAll(by);
    }

    /** The first match, or its first group where there is one. */
    public static @Nullable String extractMatch(String text, String expression) {
        var matcher = compile(expression).matcher(text);
        if (!matcher.find()) {
            return null;
        }
        return matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
    }

    public static String ofLong(long value) {
        return Long.toString(value);
    }

    public static String ofDecimal(BigDecimal value) {
        return value.toPlainString();
    }

    public static String ofDouble(double value) {
        return Double.toString(value);
    }

    public static String ofReal(double value) {
        return Float.toString((float) value);
    }

    public static String ofBoolean(boolean value) {
        return Boolean.toString(value);
    }

    public static boolean toBoolean(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "t", "yes", "on", "1" -> true;
            case "false", "f", "no", "off", "0" -> false;
            default -> throw new ArithmeticException("'" + text + "' is not a BOOLEAN; use TRY_CAST for NULL instead");
        };
    }

    public static String truncate(String text, int length) {
        return left(text, length);
    }

    public static byte[] toBytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String ofBytes(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    public static byte[] concatenateBytes(byte[] left, byte[] right) {
        byte[] both = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, both, left.length, right.length);
        return both;
    }
}
