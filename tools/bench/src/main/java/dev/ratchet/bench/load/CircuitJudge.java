/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * DuckDB, which is given the requests in the order of their positions and asked what each view holds where a reader of
 * the circuit was answered. One thread at a time.
 */
final class CircuitJudge implements AutoCloseable {

    private static final int ROWS_SHOWN = 3;

    /** A generated name can be empty; it has quotes, and what is NULL has none. */
    private static final String EMPTY_IS_NO_NULL = "ALLOW_QUOTED_NULLS false";

    private final CircuitRequests input;
    private final PromiseLedger ledger;
    private final Path directory;
    private final Connection connection;
    private String loaded = "";
    private long rows;

    CircuitJudge(CircuitRequests input, PromiseLedger ledger, Path directory) throws SQLException {
        this.input = input;
        this.ledger = ledger;
        this.directory = directory;
        this.connection = DriverManager.getConnection("jdbc:duckdb:");
        execute("SET threads = 2");
        execute(LoadViews.tables());
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Complains of every answer that is not DuckDB's over exactly the input at its position. */
    void judge(List<CircuitAnswers.Answer> answers) throws SQLException, IOException {
        List<CircuitAnswers.Answer> ordered = answers.stream()
                .sorted(Comparator.comparing(CircuitAnswers.Answer::position))
                .toList();
        for (CircuitAnswers.Answer answer : ordered) {
            if (answer.step() == 0) {
                judgeNothing(answer);
                continue;
            }
            if (answer.position().isEmpty()) {
                ledger.complain("nobody knows which input step " + answer.step() + " stands for");
                continue;
            }
            load(answer.position());
            judge(answer);
        }
    }

    /** Before the first step nothing is put out, not even what a view has without any input. */
    private void judgeNothing(CircuitAnswers.Answer answer) throws IOException {
        try (Stream<String> lines = Files.lines(answer.rows())) {
            long found = lines.count() - 1;
            if (found > 0) {
                ledger.complain("view " + answer.view().name() + " has " + found + " rows before the first step; see "
                        + answer.rows());
            }
        }
    }

    private void load(String position) throws SQLException, IOException {
        Collection<CircuitRequests.Request> requests = input.between(loaded, position);
        Map<NexmarkTable, BufferedWriter> writers = new EnumMap<>(NexmarkTable.class);
        for (NexmarkTable table : NexmarkTable.values()) {
            writers.put(table, Files.newBufferedWriter(file(table)));
        }
        for (CircuitRequests.Request request : requests) {
            for (var event : input.events(request).toList()) {
                Objects.requireNonNull(writers.get(event.table()))
                        .append(CircuitRequests.written(event).stream()
                                .map(value -> value instanceof String ? "\"" + value + "\"" : value.toString())
                                .collect(Collectors.joining(",", "", "\n")));
                rows++;
            }
        }
        for (Map.Entry<NexmarkTable, BufferedWriter> writer : writers.entrySet()) {
            writer.getValue().close();
            if (Files.size(file(writer.getKey())) > 0) {
                execute("COPY " + writer.getKey().title() + " FROM '" + file(writer.getKey())
                        + "' (HEADER false, QUOTE '\"', ESCAPE '\"', " + EMPTY_IS_NO_NULL + ")");
            }
        }
        loaded = position;
    }

    private Path file(NexmarkTable table) {
        return directory.resolve(table.title() + ".csv");
    }

    private void judge(CircuitAnswers.Answer answer) throws SQLException {
        execute("CREATE OR REPLACE TEMP TABLE expected AS " + answer.view().judged());
        execute("CREATE OR REPLACE TEMP TABLE answered AS SELECT * FROM expected LIMIT 0");
        execute("COPY answered FROM '" + answer.rows() + "' (HEADER true, " + EMPTY_IS_NO_NULL + ")");
        String missing = difference("expected", "answered");
        String extra = difference("answered", "expected");
        if (!missing.isEmpty() || !extra.isEmpty()) {
            ledger.complain("view " + answer.view().name() + " at step " + answer.step() + " over " + rows
                    + " rows: it lacks " + missing + " and has " + extra + " too much; see " + answer.rows());
        }
    }

    private String difference(String whole, String without) throws SQLException {
        StringJoiner shown = new StringJoiner(" ");
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT CAST(COUNT(*) OVER () AS VARCHAR), CAST(d AS VARCHAR)"
                        + " FROM (FROM " + whole + " EXCEPT ALL FROM " + without + ") AS d LIMIT " + ROWS_SHOWN)) {
            while (found.next()) {
                shown.add((shown.length() == 0 ? found.getString(1) + " rows: " : "") + found.getString(2));
            }
        }
        return shown.toString();
    }

    /** How many rows it was given. */
    long rows() {
        return rows;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
