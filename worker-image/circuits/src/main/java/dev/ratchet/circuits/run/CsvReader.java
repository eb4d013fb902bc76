/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a table from CSV: commas, double quotes where needed, the first line names columns. A field of
 * nothing is NULL, a field of two quotes the empty text. One thread at a time.
 */
final class CsvReader {

    private static final int FIELD_LENGTH_MAX = 16 << 20;

    private final Path file;
    private final BufferedReader in;
    private long line = 1;
    private int next;

    private CsvReader(Path file, BufferedReader in) throws IOException {
        this.file = file;
        this.in = in;
        this.next = in.read();
    }

    /** Adds all rows of a file to a table; returns how many. */
    static long read(Path file, TableRows table) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(file)) {
            return new CsvReader(file, in).readAll(table);
        }
    }

    private long readAll(TableRows table) throws IOException {
        List<@Nullable String> header = record();
        int[] columns = new int[header.size()];
        TreeSet<Integer> seen = new TreeSet<>();
        for (int i = 0; i < columns.length; i++) {
            String name = header.get(i);
            columns[i] = name == null ? -1 : table.columnOf(name.strip());
            if (columns[i] < 0 || !seen.add(columns[i])) {
                throw InputException.at(
                        file, 1, "the first line must name columns, each once, of " + table.names(), null);
            }
        }
        long rows = 0;
        while (next >= 0) {
            long start = line;
            List<@Nullable String> fields = record();
            if (fields.size() == 1 && fields.get(0) == null && columns.length > 1) {
                continue;
            }
            try {
                if (fields.size() != columns.length) {
                    throw new IllegalArgumentException(
                            fields.size() + " fields where the first line names " + columns.length + " columns");
                }
                table.add(columns, fields, 1);
            } catch (IllegalArgumentException | ArithmeticException | JsonProcessingException e) {
                throw InputException.at(file, start, String.valueOf(e.getMessage()), e);
            }
            rows++;
        }
        return rows;
    }

    /** The fields of one record; the reader stands behind its end of line. */
    private List<@Nullable String> record() throws IOException {
        List<@Nullable String> fields = new ArrayList<>();
        while (true) {
            fields.add(next == '"' ? quoted() : plain());
            if (next != ',') {
                break;
            }
            read();
        }
        if (next == '\r') {
            read();
        }
        if (next >= 0 && next != '\n') {
            throw InputException.at(file, line, "text behind a closing quote; double quotes inside of quotes", null);
        }
        read();
        line++;
        return fields;
    }

    private void read() throws IOException {
        next = in.read();
    }

    private @Nullable String plain() throws IOException {
        StringBuilder field = new StringBuilder();
        while (next >= 0 && next != ',' && next != '\n' && next != '\r') {
            append(field);
        }
        return field.isEmpty() ? null : field.toString();
    }

    private String quoted() throws IOException {
        StringBuilder field = new StringBuilder();
        long start = line;
        read();
        while (true) {
            if (next < 0) {
                throw InputException.at(file, start, "a quoted field that does not end", null);
            }
            if (next == '"') {
                read();
                if (next != '"') {
                    return field.toString();
                }
            }
            line += next == '\n' ? 1 : 0;
            append(field);
        }
    }

    private void append(StringBuilder field) throws IOException {
        if (field.length() == FIELD_LENGTH_MAX) {
            throw InputException.at(file, line, "a field of more than " + FIELD_LENGTH_MAX + " characters", null);
        }
        field.append((char) next);
        read();
    }
}
