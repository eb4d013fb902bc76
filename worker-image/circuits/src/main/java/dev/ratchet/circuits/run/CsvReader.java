/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a table from CSV: commas, double quotes where needed, the first line names columns. A field of
 * nothing is NULL, a field of two quotes the empty text. Records of one line with plain values go from their bytes into
 * columns; the others are taken apart as text. One thread at a time.
 */
final class CsvReader implements Closeable {

    private static final int FIELD_LENGTH_MAX = 16 << 20;

    private final Path file;
    private final LineReader lines;

    /** The record taken apart as text: its line and where in it the next character is. */
    private String text = "";

    private int at;
    private boolean endsByCarriageReturn;

    /** The line with which the record begins that is read. */
    private long line;

    CsvReader(Path file) {
        this(file, new LineReader(file));
    }

    /** Reads lines that errors name like a file. */
    CsvReader(Path file, LineReader lines) {
        this.file = file;
        this.lines = lines;
    }

    /** Adds all rows of the file to a table; returns how many. */
    long readAll(TextRowReader table) throws IOException {
        return readAll(table, failure -> {
            throw failure;
        });
    }

    /**
     * As {@link #readAll(TextRowReader)}; goes on behind a record that is none of the table, if {@code failures} does.
     */
    long readAll(TextRowReader table, Consumer<InputException> failures) throws IOException {
        int[] columns = columns(table);
        long rows = 0;
        while (lines.next()) {
            line = lines.number();
            boolean nothing = lines.length() == 0 && columns.length > 1;
            if (!nothing) {
                try {
                    if (!addPlain(table, columns)) {
                        add(table, columns);
                    }
                    rows++;
                } catch (InputException failure) {
                    failures.accept(failure);
                }
            }
        }
        return rows;
    }

    /** The number of the line with which the record begins that is read, from 1. */
    long line() {
        return line;
    }

    /** The columns that the first line names. */
    private int[] columns(TextRowReader table) throws IOException {
        List<@Nullable String> header = lines.next() ? record() : List.of();
        int[] columns = new int[header.size()];
        TreeSet<Integer> seen = new TreeSet<>();
        for (int i = 0; i < columns.length; i++) {
            String field = header.get(i);
            String name = field == null ? "" : field.strip();
            columns[i] = table.columnOf(name);
            if (columns[i] < 0) {
                throw notNamed(
                        name.isEmpty() ? "its field " + (i + 1) + " is empty" : "there is no '" + name + "'", table);
            }
            if (!seen.add(columns[i])) {
                throw notNamed("'" + name + "' is there twice", table);
            }
        }
        if (columns.length == 0) {
            throw notNamed("the file is empty", table);
        }
        return columns;
    }

    private InputException notNamed(String found, TextRowReader table) {
        return InputException.at(
                file, 1, "the first line must name columns, each once, of " + table.names() + "; " + found, null);
    }

    /** Adds the record of a line; false where that is not plain. */
    private boolean addPlain(TextRowReader table, int[] columns) {
        byte[] bytes = lines.bytes();
        int from = lines.offset();
        int end = from + lines.length();
        table.beginPlain();
        for (int i = 0; i < columns.length; i++) {
            boolean quoted = from < end && bytes[from] == '"';
            int to = quoted ? ++from : from;
            while (to < end && bytes[to] != (quoted ? '"' : ',')) {
                if (bytes[to] < ' ') {
                    return false;
                }
                to++;
            }
            int behind = quoted ? to + 1 : to;
            boolean isLast = i == columns.length - 1;
            boolean ends = isLast ? behind == end : behind < end && bytes[behind] == ',';
            if (!ends || ((quoted || to > from) && !table.setPlain(columns[i], bytes, from, to))) {
                return false;
            }
            from = behind + 1;
        }
        return addPlain(table);
    }

    private boolean addPlain(TextRowReader table) {
        try {
            return table.addPlain(1);
        } catch (IllegalArgumentException e) {
            throw InputException.at(file, line, String.valueOf(e.getMessage()), e);
        }
    }

    private void add(TextRowReader table, int[] columns) throws IOException {
        List<@Nullable String> fields = record();
        try {
            if (fields.size() != columns.length) {
                throw new IllegalArgumentException(
                        fields.size() + " fields where the first line names " + columns.length + " columns");
            }
            table.add(columns, fields, 1);
        } catch (IllegalArgumentException | ArithmeticException | JsonProcessingException e) {
            throw InputException.at(file, line, String.valueOf(e.getMessage()), e);
        }
    }

    /** The fields of the record that begins with the line; it may go on in the lines behind. */
    private List<@Nullable String> record() throws IOException {
        decode();
        List<@Nullable String> fields = new ArrayList<>();
        while (true) {
            fields.add(at < text.length() && text.charAt(at) == '"' ? quoted() : plain());
            if (at == text.length()) {
                return fields;
            }
            if (text.charAt(at) != ',') {
                throw InputException.at(
                        file, lines.number(), "text behind a closing quote; double quotes inside of quotes", null);
            }
            at++;
        }
    }

    private void decode() {
        text = lines.text();
        endsByCarriageReturn = lines.rawLength() > lines.length();
        at = 0;
    }

    private @Nullable String plain() {
        int comma = text.indexOf(',', at);
        int to = comma < 0 ? text.length() : comma;
        String field = text.substring(at, to);
        at = to;
        return field.isEmpty() ? null : bounded(field);
    }

    private String quoted() throws IOException {
        StringBuilder field = new StringBuilder();
        long start = lines.number();
        at++;
        while (true) {
            int quote = text.indexOf('"', at);
            field.append(text, at, quote < 0 ? text.length() : quote);
            bounded(field);
            if (quote < 0) {
                field.append(endsByCarriageReturn ? "\r\n" : "\n");
                if (!lines.next()) {
                    throw InputException.at(file, start, "a quoted field that does not end", null);
                }
                decode();
            } else if (quote + 1 < text.length() && text.charAt(quote + 1) == '"') {
                field.append('"');
                at = quote + 2;
            } else {
                at = quote + 1;
                return field.toString();
            }
        }
    }

    private <T extends CharSequence> T bounded(T field) {
        if (field.length() > FIELD_LENGTH_MAX) {
            throw InputException.at(
                    file, lines.number(), "a field of more than " + FIELD_LENGTH_MAX + " characters", null);
        }
        return field;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
