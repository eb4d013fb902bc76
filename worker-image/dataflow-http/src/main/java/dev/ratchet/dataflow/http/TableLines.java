/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.query.ProgramLookup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides lines {@code {"table": "t", "insert": {…}}} among their tables. Rows are handed on as they are written; what
 * is wrong inside of them is found where they are parsed.
 */
final class TableLines {

    private static final JsonFactory JSON = new JsonFactory();
    private static final String FORM = "Write {\"table\": \"t\", \"insert\": {…}} or \"delete\" in its place";

    private final List<Relation> tables;
    private final Map<String, ByteArrayOutputStream> rows = new LinkedHashMap<>();

    TableLines(List<Relation> tables) {
        this.tables = tables;
    }

    List<TableRows> divide(byte[] lines) {
        int number = 0;
        for (int from = 0; from < lines.length; ) {
            int to = from;
            while (to < lines.length && lines[to] != '\n') {
                to++;
            }
            number++;
            if (!new String(lines, from, to - from, StandardCharsets.UTF_8).isBlank()) {
                add(number, lines, from, to - from);
            }
            from = to + 1;
        }
        List<TableRows> divided = new ArrayList<>();
        rows.forEach((table, text) -> divided.add(new TableRows(table, RowFormat.NDJSON, text.toByteArray())));
        return divided;
    }

    private void add(int number, byte[] lines, int offset, int length) {
        String table = null;
        String change = null;
        int rowFrom = 0;
        int rowTo = 0;
        try (JsonParser parser = JSON.createParser(lines, offset, length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw malformed(number, "is no object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("table") && value == JsonToken.VALUE_STRING) {
                    table = parser.getText();
                } else if ((field.equals("insert") || field.equals("delete"))
                        && value == JsonToken.START_OBJECT
                        && change == null) {
                    change = field;
                    rowFrom = offset + (int) parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    rowTo = offset + (int) parser.currentLocation().getByteOffset();
                } else {
                    throw malformed(number, "has a field '" + field + "' that does not belong there");
                }
            }
        } catch (JsonProcessingException broken) {
            throw malformed(number, "is no JSON: " + broken.getOriginalMessage());
        } catch (IOException impossible) {
            throw new IllegalStateException("Bytes in memory can not be read", impossible);
        }
        if (table == null || change == null) {
            throw malformed(number, "has no " + (table == null ? "table" : "row"));
        }
        String name = ProgramLookup.named("table", table, tables).name();
        ByteArrayOutputStream text = rows.computeIfAbsent(name, one -> new ByteArrayOutputStream());
        text.writeBytes(("{\"" + change + "\":").getBytes(StandardCharsets.US_ASCII));
        text.write(lines, rowFrom, rowTo - rowFrom);
        text.write('}');
        text.write('\n');
    }

    private static HttpFailure malformed(int number, String what) {
        return new HttpFailure(400, "Line " + number + " " + what, FORM).detail("line", number);
    }
}
