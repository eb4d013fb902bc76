/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.duckdb;

import dev.ratchet.bench.nexmark.NexmarkChangeReader;
import dev.ratchet.bench.nexmark.NexmarkEngine;
import dev.ratchet.bench.nexmark.NexmarkJob;
import dev.ratchet.bench.nexmark.NexmarkQuery;
import dev.ratchet.bench.nexmark.NexmarkRuns;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import dev.ratchet.bench.nexmark.SideInput;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * The process that answers with DuckDB: loads what is there after all changes, which is not counted, and runs the query
 * over it once. What is counted is thus what a single changed row costs an engine that asks again.
 */
public final class DuckDbProcess implements NexmarkEngine {

    private DuckDbProcess() {}

    /** Arguments: see {@link NexmarkRuns}. */
    public static void main(String[] arguments) throws Exception {
        NexmarkRuns.main(new DuckDbProcess(), arguments);
    }

    @Override
    public long run(NexmarkJob job) throws SQLException {
        try (DuckDBConnection connection = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET threads = " + job.threads());
            // Promises are options of Ratchet.
            statement.execute(NexmarkQuery.tables().replaceAll(" WITH [^;]*", ""));
            statement.execute(
                    "INSERT INTO side_input SELECT range, 'label ' || range FROM range(" + SideInput.ROWS + ")");
            load(connection, job);
            job.begins();
            // Every column is made, as the others make it: counting alone would let DuckDB skip them.
            statement.execute("CREATE TEMP TABLE answer AS " + job.query().text("duckdb"));
            try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM answer")) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    private static void load(DuckDBConnection connection, NexmarkJob job) throws SQLException {
        Set<Long> gone = new HashSet<>();
        for (NexmarkChangeReader change = new NexmarkChangeReader(job.changes()); change.next(); ) {
            if (change.weight() < 0) {
                gone.add(change.event());
            }
        }
        Map<NexmarkTable, DuckDBAppender> tables = new EnumMap<>(NexmarkTable.class);
        for (NexmarkTable table : NexmarkTable.values()) {
            tables.put(table, connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, table.title()));
        }
        for (NexmarkChangeReader change = new NexmarkChangeReader(job.changes()); change.next(); ) {
            if (!gone.contains(change.event())) {
                append(change, Objects.requireNonNull(tables.get(change.table())));
            }
        }
        for (DuckDBAppender table : tables.values()) {
            table.close();
        }
    }

    private static void append(NexmarkChangeReader change, DuckDBAppender table) throws SQLException {
        List<NexmarkTable.Column> columns = change.table().columns();
        table.beginRow();
        for (int i = 0; i < columns.size(); i++) {
            switch (columns.get(i).kind()) {
                case NUMBER -> table.append(change.numberAt(i));
                case TIME -> table.append(time(change.numberAt(i)));
                case TEXT -> table.append(change.textAt(i));
            }
        }
        table.endRow();
    }

    private static LocalDateTime time(long millis) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(millis, 1000), Math.floorMod(millis, 1000) * 1_000_000, ZoneOffset.UTC);
    }

    @Override
    public void close() {}
}
