/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.sql.Relation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Adds the rows of one table from text as producers send it. A row that is none of the table is told and left out; the
 * others are added. One thread at a time.
 *
 * <p>A line of JSON is a row, {@code {"a":1}}, or {@code {"insert":{"a":1}}} or {@code {"delete":{"a":1}}} where the
 * table has no such column. Fields that are no columns are ignored, but where the table is {@code 'strict'}: there such
 * a row is none of it. CSV begins with a line of column names.
 */
public final class TableText {

    /** Is told what is not added. */
    public interface Failures {

        /**
         * A row was left out.
         *
         * @param line from 1
         * @param text of the line, where there is one
         */
        void failed(long line, String reason, String text);
    }

    private static final String STRICT = "strict";

    private final TextRowReader rows;
    private final TableInput input;
    private final boolean isStrict;
    private final Path name;
    private final PlainLine plain = new PlainLine();

    public TableText(Relation table, TableInput input) {
        this.rows = new TextRowReader(table, input, input::add, input.table().upsertKey());
        this.input = input;
        this.isStrict = table.options().getOrDefault(STRICT, "false").equals("true");
        this.name = Path.of(table.name().replace('\0', ' '));
    }

    /** Adds rows in JSON, one to a line, and returns how many. */
    public long addNdjson(byte[] bytes, int offset, int length, Failures failures) {
        long added = 0;
        try (LineReader lines = new LineReader(new ByteArrayInputStream(bytes, offset, length), name)) {
            while (lines.next()) {
                if (lines.isBlank()) {
                    continue;
                }
                try {
                    if (!plain.bare(lines.bytes(), lines.offset(), lines.length(), rows)) {
                        add(JsonValues.parse(lines.text()));
                    }
                    added++;
                } catch (JsonProcessingException e) {
                    failed(lines, JsonValues.reason(e), failures);
                } catch (InputException e) {
                    failed(lines, e.reason(), failures);
                } catch (IllegalArgumentException | ArithmeticException e) {
                    failed(lines, String.valueOf(e.getMessage()), failures);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return added;
    }

    private void add(JsonNode line) {
        JsonNode row = line;
        long weight = 1;
        if (line.size() == 1) {
            boolean insert = line.path("insert").isObject() && rows.columnOf("insert") < 0;
            boolean delete = line.path("delete").isObject() && rows.columnOf("delete") < 0;
            row = insert ? line.path("insert") : delete ? line.path("delete") : line;
            weight = delete ? -1 : 1;
        }
        if (!(row instanceof ObjectNode object)) {
            throw new IllegalArgumentException("a row is an object with the columns of the table");
        }
        if (!isStrict) {
            object.properties().removeIf(field -> rows.columnOf(field.getKey()) < 0);
        }
        rows.add(object, weight);
    }

    private void failed(LineReader lines, String reason, Failures failures) {
        input.add(0);
        String text = new String(lines.bytes(), lines.offset(), lines.length(), StandardCharsets.UTF_8);
        failures.failed(lines.number(), reason, text);
    }

    /** Adds rows in CSV and returns how many. */
    public long addCsv(byte[] bytes, int offset, int length, Failures failures) {
        try (LineReader lines = new LineReader(new ByteArrayInputStream(bytes, offset, length), name);
                CsvReader csv = new CsvReader(name, lines)) {
            try {
                return csv.readAll(rows, failure -> {
                    input.add(0);
                    String text = new String(lines.bytes(), lines.offset(), lines.length(), StandardCharsets.UTF_8);
                    failures.failed(csv.line(), failure.reason(), text);
                });
            } catch (InputException wholly) {
                failures.failed(Math.max(1, lines.number()), wholly.reason(), "");
                return 0;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
