/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads changes step by step: lines {@code {"step":1,"table":"t","weight":1,"row":{"a":1}}} whose steps ascend. Blank
 * lines are skipped. One thread at a time.
 */
final class ChangeReader implements Closeable {

    private static final Set<String> FIELDS = Set.of("step", "table", "weight", "row");

    /** What to write in fields that are integers. */
    private static final Map<String, String> REMEDIES = Map.of(
            "step", "give the step's number, and lines in its order",
            "weight", "give how many times the row comes, or goes if negative");

    private final Path file;
    private final Map<String, TextRowReader> tables;
    private final LineReader lines;
    private final PlainLine plain = new PlainLine();

    /** Whether a line is waiting for its step; {@link #plain} has its start, or {@link #parsed} all of it. */
    private boolean pending;

    private @Nullable JsonNode parsed;
    private @Nullable InputException failure;
    private long step;
    private long rows;

    /** @param tables by name in lower case */
    ChangeReader(Path file, Map<String, TextRowReader> tables) throws IOException {
        this.file = file;
        this.tables = tables;
        this.lines = new LineReader(file);
        advance();
    }

    /** Whether there is a step to read. */
    boolean hasStep() {
        return pending || failure != null;
    }

    /** The number of the step that comes next. */
    long step() {
        return step;
    }

    /** The number of the line that is read, from 1. */
    long line() {
        return lines.number();
    }

    /** Rows added to tables so far. */
    long rows() {
        return rows;
    }

    /** Adds all rows of the next step to their tables. */
    void readStep() throws IOException {
        readStep(true);
    }

    /** Goes behind the next step. */
    void skipStep() throws IOException {
        readStep(false);
    }

    private void readStep(boolean adds) throws IOException {
        if (failure != null) {
            throw failure;
        }
        long current = step;
        while (pending && step == current) {
            if (adds) {
                add();
                rows++;
            }
            advance();
        }
        if (pending && step < current) {
            failure = InputException.at(
                    file, lines.number(), "step " + step + " comes behind step " + current + "; sort the lines", null);
        }
    }

    private void add() {
        JsonNode change = parsed;
        TextRowReader table = change == null ? tables.get(plain.table().toLowerCase(Locale.ROOT)) : null;
        try {
            if (table == null || !plain.row(table)) {
                add(change == null ? parse() : change);
            }
        } catch (JsonProcessingException e) {
            throw unreadable(e);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw InputException.at(file, lines.number(), String.valueOf(e.getMessage()), e);
        }
    }

    private void add(JsonNode change) {
        String name = text(change, "table");
        TextRowReader table = tables.get(name.toLowerCase(Locale.ROOT));
        if (table == null) {
            throw new IllegalArgumentException("there is no table '" + name + "'; the tables are " + tables.keySet());
        }
        JsonNode row = change.path("row");
        if (!row.isObject()) {
            throw new IllegalArgumentException("'row' must be an object with the columns of the table");
        }
        long weight = integer(change, "weight");
        if (weight == 0) {
            throw new IllegalArgumentException("'weight' is 0; " + REMEDIES.get("weight"));
        }
        table.add(row, weight);
    }

    /** Looks at the next line; what is wrong with it waits until the step before has been run. */
    private void advance() throws IOException {
        pending = false;
        parsed = null;
        while (lines.next()) {
            if (!lines.isBlank()) {
                try {
                    if (plain.begin(lines.bytes(), lines.offset(), lines.length())) {
                        step = plain.step();
                    } else {
                        JsonNode change = parse();
                        step = integer(change, "step");
                        parsed = change;
                    }
                    pending = true;
                } catch (JsonProcessingException e) {
                    failure = unreadable(e);
                } catch (InputException e) {
                    failure = e;
                } catch (IllegalArgumentException e) {
                    failure = InputException.at(file, lines.number(), String.valueOf(e.getMessage()), e);
                }
                return;
            }
        }
    }

    private JsonNode parse() throws JsonProcessingException {
        return checked(JsonValues.parse(lines.text()));
    }

    private InputException unreadable(JsonProcessingException e) {
        int column = e.getLocation() == null ? 1 : e.getLocation().getColumnNr();
        return InputException.at(file, lines.number(), "column " + column + ": " + JsonValues.reason(e), e);
    }

    private static JsonNode checked(JsonNode change) {
        if (!change.isObject()) {
            throw new IllegalArgumentException(
                    "a change is an object {\"step\":1,\"table\":\"t\",\"weight\":1,\"row\":{…}}");
        }
        for (Iterator<String> names = change.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!FIELDS.contains(name)) {
                throw new IllegalArgumentException(
                        "unknown field '" + name + "'; a change has step, table, weight, row");
            }
        }
        return change;
    }

    private static String text(JsonNode change, String field) {
        JsonNode value = change.path(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("'" + field + "' must be a string");
        }
        return value.textValue();
    }

    private static long integer(JsonNode change, String field) {
        JsonNode value = change.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            String found =
                    value.isMissingNode() ? "is missing" : "is " + JsonValues.shown(value) + ", no integer of 64 bits";
            throw new IllegalArgumentException("'" + field + "' " + found + "; " + REMEDIES.get(field));
        }
        return value.longValue();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
