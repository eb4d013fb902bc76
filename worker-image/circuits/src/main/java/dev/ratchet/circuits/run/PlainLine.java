/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import java.nio.charset.StandardCharsets;

/**
 * Reads a change as most are written: an object of step, table, weight and, last, row, in which all values are plain
 * (see {@link PlainValues}) and the bytes of text are ASCII; what is escaped in it may be any character. It declines
 * any other line, right or wrong, by returning false, and the JSON library decides about that. One thread at a time.
 */
final class PlainLine {

    private static final int INTEGER_DIGITS_MAX = 18;
    private static final String INSERT = "insert";
    private static final String DELETE = "delete";

    private final EscapedText escaped = new EscapedText();
    private byte[] bytes = new byte[0];
    private int at;
    private int end;

    /** The last string, without its escapes: where it lies, and from where to where. */
    private byte[] name = bytes;

    private int nameFrom;
    private int nameTo;
    private String table = "";
    private long step;
    private long weight;
    private long number;

    /** Reads up to the row. */
    boolean begin(byte[] line, int offset, int length) {
        bytes = line;
        at = offset;
        end = offset + length;
        boolean hasStep = false;
        boolean hasTable = false;
        boolean hasWeight = false;
        if (!skip('{')) {
            return false;
        }
        while (string() && skip(':')) {
            if (!hasStep && PlainValues.is(name, nameFrom, nameTo, "step")) {
                hasStep = integer();
                step = number;
            } else if (!hasWeight && PlainValues.is(name, nameFrom, nameTo, "weight")) {
                hasWeight = integer() && number != 0;
                weight = number;
            } else if (!hasTable && PlainValues.is(name, nameFrom, nameTo, "table")) {
                hasTable = string();
                if (hasTable && !PlainValues.is(name, nameFrom, nameTo, table)) {
                    table = new String(name, nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8);
                }
            } else {
                return hasStep && hasWeight && hasTable && PlainValues.is(name, nameFrom, nameTo, "row");
            }
            if (!skip(',')) {
                return false;
            }
        }
        return false;
    }

    long step() {
        return step;
    }

    String table() {
        return table;
    }

    /** Adds the row behind what {@link #begin} read, where all of it is plain and the line ends there. */
    boolean row(TextRowReader rows) {
        return object(rows) && skip('}') && isAtEnd() && rows.addPlain(weight);
    }

    /** Adds a line that is a row, or an insert or a delete of one, and nothing else, where all of it is plain. */
    boolean bare(byte[] line, int offset, int length, TextRowReader rows) {
        bytes = line;
        at = offset;
        end = offset + length;
        long weightAround = weightAround(rows);
        return object(rows)
                && (weightAround == 0 || skip('}'))
                && isAtEnd()
                && rows.addPlain(weightAround == 0 ? 1 : weightAround);
    }

    /** Goes to the row within an insert, 1, or a delete, -1, which are no columns; otherwise stays, 0. */
    private long weightAround(TextRowReader rows) {
        int from = at;
        if (skip('{') && string()) {
            boolean isInsert = PlainValues.is(name, nameFrom, nameTo, INSERT);
            boolean isDelete = PlainValues.is(name, nameFrom, nameTo, DELETE);
            if ((isInsert || isDelete)
                    && rows.columnOf(isInsert ? INSERT : DELETE) < 0
                    && skip(':')
                    && at < end
                    && bytes[at] == '{') {
                return isInsert ? 1 : -1;
            }
        }
        at = from;
        return 0;
    }

    private boolean object(TextRowReader rows) {
        rows.beginPlain();
        if (!skip('{')) {
            return false;
        }
        if (!skip('}')) {
            do {
                if (!string() || !skip(':')) {
                    return false;
                }
                int column = rows.columnOf(name, nameFrom, nameTo);
                if (column < 0 || !value(rows, column)) {
                    return false;
                }
            } while (skip(','));
            if (!skip('}')) {
                return false;
            }
        }
        return true;
    }

    private boolean value(TextRowReader rows, int column) {
        if (string()) {
            return rows.setPlainText(column, name, nameFrom, nameTo);
        }
        int from = at;
        while (at < end && bytes[at] != ',' && bytes[at] != '}' && bytes[at] > ' ') {
            at++;
        }
        return rows.setPlainLiteral(column, bytes, from, at);
    }

    private boolean isAtEnd() {
        space();
        return at == end;
    }

    private void space() {
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
    }

    /** Goes behind a sign and the space around it; stays in front of any other. */
    private boolean skip(char sign) {
        space();
        if (at == end || bytes[at] != sign) {
            return false;
        }
        at++;
        space();
        return true;
    }

    /** Goes behind a string, whose content is then the name; stays in front of anything else. */
    private boolean string() {
        if (at == end || bytes[at] != '"') {
            return false;
        }
        int to = at + 1;
        while (to < end && bytes[to] >= ' ' && bytes[to] != '"' && bytes[to] != '\\') {
            to++;
        }
        if (to < end && bytes[to] == '\\') {
            return escapedString();
        }
        if (to == end || bytes[to] != '"') {
            return false;
        }
        name = bytes;
        nameFrom = at + 1;
        nameTo = to;
        at = to + 1;
        return true;
    }

    private boolean escapedString() {
        int quote = escaped.read(bytes, at + 1, end);
        if (quote < 0) {
            return false;
        }
        name = escaped.text();
        nameFrom = 0;
        nameTo = escaped.length();
        at = quote + 1;
        return true;
    }

    private boolean integer() {
        boolean negative = at < end && bytes[at] == '-';
        int first = negative ? at + 1 : at;
        long value = 0;
        for (at = first; at < end && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
            value = value * 10 + bytes[at] - '0';
        }
        number = negative ? -value : value;
        int digits = at - first;
        return digits > 0 && digits <= INTEGER_DIGITS_MAX && (digits == 1 || bytes[first] != '0');
    }
}
