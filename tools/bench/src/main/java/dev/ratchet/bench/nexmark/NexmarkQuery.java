/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One question about the auction house, with its text for each dialect. The text in Ratchet's SQL is the usual one;
 * another dialect has its own only where it can not read that.
 *
 * @param name q0 to q22
 * @param stateful whether the answer needs more than the row at hand
 */
public record NexmarkQuery(String name, boolean stateful) {

    private static final List<String> ROW_BY_ROW = List.of("q0", "q1", "q2", "q10", "q14", "q21", "q22");

    /** All of them, in order. */
    public static List<NexmarkQuery> all() {
        return IntStream.rangeClosed(0, 22)
                .mapToObj(number -> "q" + number)
                .map(name -> new NexmarkQuery(name, !ROW_BY_ROW.contains(name)))
                .toList();
    }

    /** The query of a name. */
    public static NexmarkQuery named(String name) {
        return all().stream()
                .filter(query -> query.name.equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No query " + name + "; there are q0 to q22"));
    }

    /** The query in a dialect ({@code duckdb}, {@code flink}), or in Ratchet's where it has no text of its own. */
    public String text(String dialect) {
        String own = resource(dialect + "/" + name + ".sql");
        return own != null ? own : text();
    }

    /** The query in Ratchet's SQL. */
    public String text() {
        String text = resource(name + ".sql");
        if (text == null) {
            throw new IllegalStateException("No text of " + name);
        }
        return text;
    }

    /** Whether the query reads a table. */
    public boolean reads(String table) {
        return Pattern.compile("(FROM|JOIN|TABLE) " + table + "\\b")
                .matcher(text())
                .find();
    }

    /**
     * The whole program in Ratchet's SQL: the tables it reads, and the query as the view of its name.
     *
     * @param promises whether rows are promised to come at most four seconds late, so that windows that are over are
     *     forgotten, and never to be taken back
     */
    public String program(boolean promises) {
        StringBuilder program = new StringBuilder();
        for (String statement : tables().split("(?=CREATE TABLE )", -1)) {
            if (reads(statement.split(" ", 4)[2])) {
                program.append(statement);
            }
        }
        String tables = program.toString();
        if (promises) {
            tables = tables.replace("date_time TIMESTAMP", "date_time TIMESTAMP LATENESS INTERVAL '4' SECOND")
                    .replace("NOT NULL);", "NOT NULL) WITH ('append_only' = 'true');");
        }
        return tables + "\nCREATE VIEW " + name + " AS\n" + text() + ";\n";
    }

    /** The statements that create all tables in Ratchet's SQL. */
    public static String tables() {
        String tables = resource("tables.sql");
        if (tables == null) {
            throw new IllegalStateException("No tables.sql");
        }
        return tables;
    }

    private static @Nullable String resource(String path) {
        try (InputStream in = NexmarkQuery.class.getResourceAsStream(path)) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
