/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.query.ProgramLookup;
import dev.ratchet.dataflow.query.RefusedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Divides lines {@code {"table": "t", "insert": {…}}} among their tables. Rows are handed on as they are written; what
 * is wrong inside of them is found where they are parsed, as is a line of a table that has no row. Lines of other
 * tables are empty ones, so that errors name lines by their numbers in the request. Used once, by one thread.
 */
final class TableLines {

    /** For lines of other tables. */
    private static final int EMPTY_LINES_MAX = 1 << 20;

    private static final JsonFactory JSON = new JsonFactory();
    private static final String FORM = "Write {\"table\": \"t\", \"insert\": {…}} or \"delete\" in its place";

    private final List<Relation> tables;
    private final Map<String, Divided> divided = new LinkedHashMap<>();
    private int emptyLines;

    /** The lines of a table up to one of the request. */
    private static final class Divided {
        private final int linesBefore;
        private final ByteArrayOutputStream text = new ByteArrayOutputStream();
        private int lines;

        Divided(int linesBefore) {
            this.linesBefore = linesBefore;
            this.lines = linesBefore;
        }
    }

    /** What was found in a line: where its row is, and what is wrong with the line, if anything. */
    private static final class Line {
        private @Nullable String table;
        private @Nullable String change;
        private int rowFrom;
        private int rowTo;
        private @Nullable String mistake;
    }

    TableLines(List<Relation> tables) {
        this.tables = tables;
    }

    /** @throws HttpFailure where the table of a line can not be told */
    List<TableRows> divide(byte[] lines) {
        int number = 0;
        for (int from = 0; from < lines.length; ) {
            int to = from;
            while (to < lines.length && lines[to] != '\n') {
                to++;
            }
            number++;
            if (!new String(lines, from, to - from, StandardCharsets.UTF_8).isBlank()) {
                add(number, lines, from, to);
            }
            from = to + 1;
        }
        List<TableRows> rows = new ArrayList<>();
        divided.forEach((table, one) ->
                rows.add(new TableRows(table, RowFormat.NDJSON, one.text.toByteArray(), one.linesBefore)));
        return rows;
    }

    private void add(int number, byte[] lines, int from, int to) {
        Line line = read(lines, from, to - from);
        if (line.table == null) {
            String what = line.mistake == null ? "has no table" : line.mistake;
            throw new HttpFailure(400, "Line " + number + " " + what, FORM).detail("line", number);
        }
        ByteArrayOutputStream text = textOf(number, line.table);
        if (line.mistake != null) {
            // No row of any table is a list.
            text.writeBytes(("[" + TextNode.valueOf(line.mistake) + ",").getBytes(StandardCharsets.UTF_8));
            text.write(lines, from, to - from);
            text.write(']');
        } else {
            text.writeBytes(("{\"" + line.change + "\":").getBytes(StandardCharsets.US_ASCII));
            text.write(lines, line.rowFrom, line.rowTo - line.rowFrom);
            text.write('}');
        }
        text.write('\n');
    }

    /** Where the line of that number of the request is to be written. */
    private ByteArrayOutputStream textOf(int number, String table) {
        Divided rows = divided.computeIfAbsent(nameOf(number, table), name -> new Divided(number - 1));
        emptyLines += number - 1 - rows.lines;
        if (emptyLines > EMPTY_LINES_MAX) {
            throw new HttpFailure(
                    413,
                    "The lines of " + divided.size() + " tables are mixed too much: between lines of one table are "
                            + emptyLines + " of others, the limit is " + EMPTY_LINES_MAX,
                    "Write the lines of each table together, or send fewer of them at once");
        }
        for (; rows.lines < number - 1; rows.lines++) {
            rows.text.write('\n');
        }
        rows.lines++;
        return rows.text;
    }

    private String nameOf(int number, String table) {
        try {
            return ProgramLookup.named("table", table, tables).name();
        } catch (RefusedException unknown) {
            throw unknown.detail("line", number);
        }
    }

    private static Line read(byte[] lines, int offset, int length) {
        Line line = new Line();
        try (JsonParser parser = JSON.createParser(lines, offset, length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                line.mistake = "is no object";
                return line;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                read(parser, offset, line);
            }
            if (parser.nextToken() != null) {
                line.mistake = "has something behind its object";
            } else if (line.mistake == null && line.change == null) {
                line.mistake = "has no row";
            }
        } catch (JsonProcessingException broken) {
            line.mistake = "is no JSON: " + broken.getOriginalMessage();
        } catch (IOException impossible) {
            throw new IllegalStateException("Bytes in memory can not be read", impossible);
        }
        return line;
    }

    private static void read(JsonParser parser, int offset, Line line) throws IOException {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals("table") && value == JsonToken.VALUE_STRING) {
            line.table = parser.getText();
        } else if ((field.equals("insert") || field.equals("delete"))
                && value == JsonToken.START_OBJECT
                && line.change == null) {
            line.change = field;
            line.rowFrom = offset + (int) parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
            line.rowTo = offset + (int) parser.currentLocation().getByteOffset();
        } else {
            if (line.mistake == null) {
                line.mistake = "has a field '" + field + "' that does not belong there";
            }
            parser.skipChildren();
        }
    }
}
