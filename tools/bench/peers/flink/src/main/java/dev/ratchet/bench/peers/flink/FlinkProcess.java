/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink;

import dev.ratchet.bench.nexmark.NexmarkEngine;
import dev.ratchet.bench.nexmark.NexmarkJob;
import dev.ratchet.bench.nexmark.NexmarkQuery;
import dev.ratchet.bench.nexmark.NexmarkRuns;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The process that runs queries on Flink. Settings are those of Flink's own Nexmark: mini-batches of 50,000 rows or two
 * seconds, objects reused, no checkpoints.
 */
public final class FlinkProcess implements NexmarkEngine {

    /** The source and the sink run in this process and find here what they read and count. */
    static volatile @Nullable NexmarkJob job;

    static final LongAdder ROWS = new LongAdder();

    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("pipeline.object-reuse", "true"),
            Map.entry("table.exec.mini-batch.enabled", "true"),
            Map.entry("table.exec.mini-batch.allow-latency", "2 s"),
            Map.entry("table.exec.mini-batch.size", "50000"),
            Map.entry("table.dml-sync", "true"),
            Map.entry("taskmanager.memory.managed.size", "1 gb"),
            Map.entry("taskmanager.memory.network.min", "128 mb"),
            Map.entry("taskmanager.memory.network.max", "128 mb"));

    private final String backend;

    private FlinkProcess(String backend) {
        this.backend = backend;
    }

    /** Arguments: hashmap or rocksdb, and those of {@link NexmarkRuns}. */
    public static void main(String[] arguments) throws Exception {
        NexmarkRuns.main(new FlinkProcess(arguments[0]), Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    @Override
    public long run(NexmarkJob wanted) throws Exception {
        if (wanted.query().name().equals("q6")) {
            throw new NotAnsweredException("OVER does not take retractions (FLINK-19059)");
        }
        Configuration settings = new Configuration();
        SETTINGS.forEach(settings::setString);
        settings.setString("state.backend.type", backend);
        settings.setString("parallelism.default", Integer.toString(wanted.threads()));
        StreamTableEnvironment tables =
                StreamTableEnvironment.create(StreamExecutionEnvironment.getExecutionEnvironment(settings));
        job = wanted;
        ROWS.reset();
        define(tables, wanted);
        String insert = "INSERT INTO results " + wanted.query().text("flink");
        try {
            tables.explainSql(insert);
        } catch (RuntimeException e) {
            throw new NotAnsweredException(reason(e));
        }
        tables.executeSql(insert).await();
        return ROWS.sum();
    }

    private static String reason(RuntimeException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }

    private static void define(StreamTableEnvironment tables, NexmarkJob job) {
        NexmarkQuery query = job.query();
        String columns = Arrays.stream(NexmarkTable.values())
                .map(table -> table.title() + " ROW<" + columns(table) + ">")
                .collect(Collectors.joining(", "));
        String read = Arrays.stream(NexmarkTable.values())
                .map(NexmarkTable::title)
                .filter(query::reads)
                .collect(Collectors.joining(","));
        tables.executeSql("CREATE TABLE events (kind INT, " + columns + ","
                + " date_time AS CASE kind WHEN 0 THEN person.date_time WHEN 1 THEN auction.date_time"
                + " ELSE bid.date_time END,"
                + " WATERMARK FOR date_time AS date_time - INTERVAL '4' SECOND)"
                + " WITH ('connector' = 'nexmark', 'tables' = '" + read + "', 'retractions' = '"
                + job.retractions() + "')");
        for (NexmarkTable table : NexmarkTable.values()) {
            tables.executeSql("CREATE VIEW " + table.title() + " AS SELECT "
                    + table.columns().stream()
                            .map(column -> column.name().equals("date_time")
                                    ? "date_time"
                                    : table.title() + "." + column.name() + " AS " + column.name())
                            .collect(Collectors.joining(", "))
                    + " FROM events WHERE kind = " + table.code());
        }
        tables.executeSql("CREATE TABLE side_input (id BIGINT, label STRING) WITH ('connector' = 'nexmark-side')");
        String result = tables.sqlQuery(query.text("flink")).getResolvedSchema().getColumns().stream()
                .map(column -> "`" + column.getName() + "` "
                        + column.getDataType().getLogicalType().copy(true).asSerializableString())
                .collect(Collectors.joining(", "));
        tables.executeSql(
                "CREATE TABLE results (" + result.replace(" *ROWTIME*", "") + ") WITH ('connector' = 'counted')");
    }

    private static String columns(NexmarkTable table) {
        return table.columns().stream()
                .map(column -> column.name()
                        + switch (column.kind()) {
                            case NUMBER -> " BIGINT";
                            case TIME -> " TIMESTAMP(3)";
                            case TEXT -> " STRING";
                        })
                .collect(Collectors.joining(", "));
    }

    @Override
    public void close() {}
}
