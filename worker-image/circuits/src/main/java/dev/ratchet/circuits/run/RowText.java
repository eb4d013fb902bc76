/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Writes rows of a table or view as JSON objects or as lines of CSV, in UTF-8: values as tables read them. What was
 * appended waits until it is drained. One thread at a time.
 */
public final class RowText {

    private final List<ColumnType> types;
    private final Utf8Buffer[] jsonNames;
    private final Utf8Buffer header = new Utf8Buffer();
    private final Utf8Buffer text = new Utf8Buffer();
    private final Utf8Buffer value = new Utf8Buffer();

    public RowText(Relation relation) {
        this.types = relation.types();
        this.jsonNames = new Utf8Buffer[types.size()];
        for (int column = 0; column < jsonNames.length; column++) {
            String name = relation.columns().get(column).name();
            jsonNames[column] =
                    new Utf8Buffer().append(column == 0 ? "" : ",").quote(name).append(':');
            header.append(column == 0 ? "" : ",").append(quoted(name));
        }
    }

    /** Bytes that wait. */
    public int length() {
        return text.length();
    }

    /** Appends text as it is. */
    public RowText append(String plain) {
        text.append(plain);
        return this;
    }

    public RowText append(long number) {
        text.append(number);
        return this;
    }

    /** Appends a row as a JSON object. */
    public RowText json(RowView row) {
        text.append('{');
        for (int column = 0; column < jsonNames.length; column++) {
            text.append(jsonNames[column]);
            JsonText.append(text, types.get(column), row, column);
        }
        text.append('}');
        return this;
    }

    /** Appends the names of the columns, without the end of the line. */
    public RowText csvHeader() {
        text.append(header);
        return this;
    }

    /** Appends a row without the end of the line; NULL is an empty field, and the empty text a quoted one. */
    public RowText csv(RowView row) {
        for (int column = 0; column < jsonNames.length; column++) {
            if (column > 0) {
                text.append(',');
            }
            if (!row.isNull(column)) {
                text.append(field(row, column));
            }
        }
        return this;
    }

    private String field(RowView row, int column) {
        return switch (types.get(column).kind()) {
            case VARCHAR -> quoted(row.stringAt(column));
            case ARRAY, MAP, STRUCT -> quoted(json(row, column));
            default -> {
                String json = json(row, column);
                yield json.startsWith("\"") ? json.substring(1, json.length() - 1) : json;
            }
        };
    }

    private String json(RowView row, int column) {
        JsonText.append(value, types.get(column), row, column);
        return value.take();
    }

    private static String quoted(String field) {
        boolean isPlain = !field.isEmpty() && field.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
        return isPlain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }

    /** Writes what waits and starts anew. */
    public void drainTo(OutputStream out) throws IOException {
        text.drainTo(out);
    }

    /** What waits, which is taken. */
    public String take() {
        return text.take();
    }
}
