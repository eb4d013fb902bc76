/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import dev.ratchet.circuits.type.ShownSql;
import java.util.Locale;
import java.util.regex.Pattern;

/** A LIKE pattern, read once: % any text, _ one code point, all else itself, after the escape character as well. */
public final class LikePattern {

    private final String like;
    private final String escape;
    private final Pattern pattern;
    private final boolean ignoreCase;
    private final String sql;

    /**
     * @param escape one character, or empty for none
     * @param ignoreCase for ILIKE
     */
    public LikePattern(String like, String escape, boolean ignoreCase) {
        if (escape.codePointCount(0, escape.length()) > 1) {
            throw new ArithmeticException("ESCAPE '" + escape + "'; it must be one character");
        }
        this.like = like;
        this.escape = escape;
        this.ignoreCase = ignoreCase;
        this.sql = (ignoreCase ? "ILIKE " : "LIKE ")
                + ShownSql.quoted(like)
                + (escape.isEmpty() ? "" : " ESCAPE " + ShownSql.quoted(escape));
        String source = ignoreCase ? like.toLowerCase(Locale.ROOT) : like;
        int escaping = escape.isEmpty() ? -1 : escape.codePointAt(0);
        StringBuilder expression = new StringBuilder();
        boolean escaped = false;
        for (int c : source.codePoints().toArray()) {
            if (!escaped && c == escaping) {
                escaped = true;
                continue;
            }
            if (!escaped && c == '%') {
                expression.append(".*");
            } else if (!escaped && c == '_') {
                expression.append('.');
            } else {
                expression.append(Pattern.quote(Character.toString(c)));
            }
            escaped = false;
        }
        if (escaped) {
            throw new ArithmeticException("LIKE '" + like + "' ends with its escape character");
        }
        this.pattern = Pattern.compile(expression.toString(), Pattern.DOTALL);
    }

    boolean matches(String text) {
        return pattern.matcher(ignoreCase ? text.toLowerCase(Locale.ROOT) : text)
                .matches();
    }

    /** What {@link #ofRecorded} makes it of again. */
    public String recorded() {
        return (ignoreCase ? "I" : "L") + (escape.isEmpty() ? "-" : "E" + escape) + like;
    }

    public static LikePattern ofRecorded(String recorded) {
        int end = recorded.charAt(1) == 'E' ? recorded.offsetByCodePoints(2, 1) : 2;
        return new LikePattern(recorded.substring(end), recorded.substring(2, end), recorded.charAt(0) == 'I');
    }

    /** The predicate behind its text, as SQL writes it. */
    public String sql() {
        return sql;
    }

    @Override
    public String toString() {
        return (ignoreCase ? "(?i)" : "") + pattern;
    }
}
