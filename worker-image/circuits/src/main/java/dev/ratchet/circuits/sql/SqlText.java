/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.List;

/** The text of a program as tokens, and places in it as lines and columns. Immutable. */
final class SqlText {

    /** Longer programs are refused before anything is read. */
    static final int LENGTH_MAX = 4 << 20;

    enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        NUMBER,
        SYMBOL,
        END
    }

    /**
     * One token.
     *
     * @param value the text; of a quoted name or string what is between the quotes, with doubled quotes made one
     */
    record Token(Kind kind, String value, int start, int end) {

        boolean isWord(String word) {
            return kind == Kind.WORD && value.equalsIgnoreCase(word);
        }

        boolean isSymbol(String symbol) {
            return kind == Kind.SYMBOL && value.equals(symbol);
        }
    }

    private final String text;

    SqlText(String text) {
        this.text = text;
        if (text.length() > LENGTH_MAX) {
            throw new SqlException(
                    1, 1, "A program of " + text.length() + " characters; the limit is " + LENGTH_MAX + ", split it");
        }
    }

    String text() {
        return text;
    }

    SqlException error(int offset, String message) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < offset && i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                line++;
                column = 1;
            } else {
                column++;
            }
        }
        return new SqlException(line, column, message);
    }

    /**
     * The text from start to end with all before it blank, so that a parser counts lines and columns of the program.
     */
    String inPlace(int start, int end) {
        StringBuilder blank = new StringBuilder(end);
        for (int i = 0; i < start; i++) {
            blank.append(text.charAt(i) == '\n' ? '\n' : ' ');
        }
        return blank.append(text, start, end).toString();
    }

    /** All tokens, comments left out, with one END behind the last. */
    List<Token> tokens() {
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (true) {
            at = skipBlank(at);
            if (at == text.length()) {
                tokens.add(new Token(Kind.END, "end of the program", at, at));
                return tokens;
            }
            Token token = read(at);
            tokens.add(token);
            at = token.end();
        }
    }

    private int skipBlank(int from) {
        int at = from;
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw error(at, "A comment that does not end; close it with */");
                }
                at = end + 2;
            } else {
                return at;
            }
        }
        return at;
    }

    private Token read(int start) {
        char first = text.charAt(start);
        if (first == '\'') {
            return quoted(Kind.STRING, start);
        }
        if (first == '"' || first == '`') {
            return quoted(Kind.QUOTED_NAME, start);
        }
        int end = start;
        if (Character.isDigit(first)) {
            while (end < text.length() && (isWordPart(text.charAt(end)) || text.charAt(end) == '.')) {
                end++;
            }
            return new Token(Kind.NUMBER, text.substring(start, end), start, end);
        }
        while (end < text.length() && isWordPart(text.charAt(end))) {
            end++;
        }
        return end > start
                ? new Token(Kind.WORD, text.substring(start, end), start, end)
                : new Token(Kind.SYMBOL, text.substring(start, start + 1), start, start + 1);
    }

    private Token quoted(Kind kind, int start) {
        char quote = text.charAt(start);
        StringBuilder value = new StringBuilder();
        for (int at = start + 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c != quote) {
                value.append(c);
            } else if (at + 1 < text.length() && text.charAt(at + 1) == quote) {
                value.append(c);
                at++;
            } else {
                return new Token(kind, value.toString(), start, at + 1);
            }
        }
        throw error(
                start, "A " + (kind == Kind.STRING ? "string" : "name") + " that does not end; close it with " + quote);
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }
}
