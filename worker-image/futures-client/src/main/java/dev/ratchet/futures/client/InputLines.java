/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.InputRows;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.ViewRow;
import dev.ratchet.protocol.client.v1.AddRowsRequest;
import dev.ratchet.protocol.client.v1.AddedRows;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes rows as the lines that tables read. One thread. */
final class InputLines {

    private static final int BYTES_MAX = 3 << 20;

    private final StringBuilder text = new StringBuilder();

    private InputLines() {}

    /** @throws InvalidInputException where the rows are too many, or a value is none of a column */
    static AddRowsRequest.Builder request(InputRows rows) {
        Map<String, InputLines> tables = new LinkedHashMap<>();
        for (InputRows.Change change : rows.changes()) {
            InputLines lines = tables.computeIfAbsent(change.table(), table -> new InputLines());
            lines.text.append(change.isDelete() ? "{\"delete\":" : "{\"insert\":");
            lines.object(change.values());
            lines.text.append("}\n");
        }
        AddRowsRequest.Builder request = AddRowsRequest.newBuilder();
        tables.forEach((table, lines) -> request.addTables(
                AddedRows.newBuilder().setTable(table).setLines(ByteString.copyFromUtf8(lines.text.toString()))));
        int bytes = request.getTablesList().stream()
                .mapToInt(table -> table.getLines().size())
                .sum();
        if (bytes == 0 || bytes > BYTES_MAX) {
            throw new InvalidInputException("A request has 1 to " + BYTES_MAX + " bytes of rows, and not " + bytes
                    + (bytes == 0 ? "." : "; send the rows in several requests."));
        }
        return request;
    }

    private void object(Map<?, ?> values) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : values.entrySet()) {
            text.append(separator);
            quote(plain(entry.getKey()));
            text.append(':');
            value(entry.getValue());
            separator = ",";
        }
        text.append(separator.equals("{") ? "{}" : "}");
    }

    private void list(List<?> values) {
        String separator = "[";
        for (Object value : values) {
            text.append(separator);
            value(value);
            separator = ",";
        }
        text.append(separator.equals("[") ? "[]" : "]");
    }

    private void value(@Nullable Object value) {
        switch (value) {
            case null -> text.append("null");
            case Boolean bool -> text.append(bool);
            case Long number -> text.append(number.longValue());
            case Number number when isFinite(number) -> text.append(plain(number));
            case Map<?, ?> map -> object(map);
            case ViewRow row -> object(row.asMap());
            case List<?> list -> list(list);
            default -> quote(plain(value));
        }
    }

    private static boolean isFinite(Number number) {
        return Double.isFinite(number.doubleValue()) || !(number instanceof Double || number instanceof Float);
    }

    /** As tables read it. */
    private static String plain(@Nullable Object value) {
        return switch (value) {
            case BigDecimal decimal -> decimal.toPlainString();
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case LocalDateTime time -> time.toLocalDate() + " " + plain(time.toLocalTime());
            case LocalTime time -> time.getSecond() == 0 && time.getNano() == 0 ? time + ":00" : time.toString();
            case Number number -> number.toString();
            case String string -> string;
            case LocalDate date -> date.toString();
            case Period period -> period.toString();
            case Duration duration -> duration.toString();
            case Boolean bool -> bool.toString();
            case Enum<?> constant -> constant.name();
            case null, default ->
                throw new InvalidInputException("A column has no value of "
                        + (value == null ? "null as a key" : value.getClass().getName()) + ": see ViewRow.");
        };
    }

    private void quote(String string) {
        text.append('"');
        for (int at = 0; at < string.length(); at++) {
            char character = string.charAt(at);
            if (character == '"' || character == '\\') {
                text.append('\\').append(character);
            } else if (character < ' ') {
                text.append(String.format("\\u%04x", (int) character));
            } else {
                text.append(character);
            }
        }
        text.append('"');
    }
}
