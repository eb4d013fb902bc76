/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.run.TableText;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How many lines become rows of a table in a second, on one thread, without what a step does with them. */
final class ParserLines {

    private static final String PROGRAM = """
            CREATE TABLE t (k BIGINT NOT NULL, at TIMESTAMP NOT NULL, name VARCHAR NOT NULL, price DECIMAL(10, 2));
            CREATE VIEW s AS SELECT k, at, name, price FROM t WHERE k < 0;
            """;

    private static final int ROWS = 10_000;

    /** Flink's format makes a tenth of its rate in the first three seconds. */
    private static final long WARM_UP_MILLIS = 15_000;

    private enum Form {
        JSON("lines of JSON", "{\"k\":%d,\"at\":\"%s\",\"name\":\"customer-%d\",\"price\":%d.25}%n"),
        ESCAPED("lines with escapes", "{\"k\":%d,\"at\":\"%s\",\"name\":\"a\\\\b \\u00e9%d\",\"price\":%d.25}%n"),
        CSV("lines of CSV", "%d,%s,customer-%d,%d.25%n");

        private final String shown;
        private final String line;

        Form(String shown, String line) {
            this.shown = shown;
            this.line = line;
        }
    }

    private ParserLines() {}

    /**
     * JSON, with an escaped backslash and a letter too, and CSV, behind {@value #WARM_UP_MILLIS} ms for the compiler.
     */
    static void lines(boolean quick, Report report) {
        long millis = millis(quick);
        for (Form form : Form.values()) {
            boolean isJson = form != Form.CSV;
            byte[] text = text(form);
            measure(text, isJson, WARM_UP_MILLIS, form);
            report.add(measure(text, isJson, millis, form));
        }
    }

    /**
     * JSON by Flink's format, a row of its own for each line, which is found beforehand; it has CSV with another one.
     */
    static void linesOfFlink(Path parent, boolean quick, Report report) throws IOException, InterruptedException {
        for (Form form : List.of(Form.JSON, Form.ESCAPED)) {
            Path file = Files.createTempFile(Files.createDirectories(parent), "ratchet-bench-", ".json");
            try {
                Files.write(file, text(form));
                FlinkPeer.measure(
                        "JsonProcess",
                        List.of(
                                file.toString(),
                                form.shown,
                                Long.toString(WARM_UP_MILLIS),
                                Long.toString(millis(quick))),
                        report);
            } finally {
                Files.delete(file);
            }
        }
    }

    private static long millis(boolean quick) {
        return quick ? 3_000 : 10_000;
    }

    private static byte[] text(Form form) {
        StringBuilder text = new StringBuilder(form == Form.CSV ? "k,at,name,price\n" : "");
        for (int row = 0; row < ROWS; row++) {
            String at = "2026-01-01 00:%02d:%02d".formatted(row / 60 % 60, row % 60);
            text.append(form.line.formatted(row, at, row, row));
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Measurement measure(byte[] text, boolean isJson, long millis, Form form) {
        SqlProgram program = SqlProgram.compile(PROGRAM);
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(1))) {
            TableText table = new TableText(program.tables().getFirst(), circuit.input("t"));
            TableText.Failures none = (line, reason, shown) -> {
                throw new IllegalStateException("Line " + line + ": " + reason);
            };
            long nanos = 0;
            long cpuNanos = 0;
            long rows = 0;
            while (nanos < TimeUnit.MILLISECONDS.toNanos(millis)) {
                long began = System.nanoTime();
                long cpuBefore = MeetingProcess.cpuNanos();
                rows += isJson ? table.addNdjson(text, 0, text.length, none) : table.addCsv(text, 0, text.length, none);
                cpuNanos += MeetingProcess.cpuNanos() - cpuBefore;
                nanos += System.nanoTime() - began;
                circuit.step();
            }
            return new Measurement(
                    "parser alone",
                    form.shown,
                    text.length / ROWS,
                    1,
                    rows * 1e9 / nanos,
                    0,
                    0,
                    cpuNanos / 1e3 / rows,
                    0);
        }
    }
}
