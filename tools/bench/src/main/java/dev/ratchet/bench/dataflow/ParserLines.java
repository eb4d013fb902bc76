/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.run.TableText;
import dev.ratchet.circuits.sql.SqlProgram;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** How many lines become rows of a table in a second, on one thread, without what a step does with them. */
final class ParserLines {

    private static final String PROGRAM = """
            CREATE TABLE t (k BIGINT NOT NULL, at TIMESTAMP NOT NULL, name VARCHAR NOT NULL, price DECIMAL(10, 2));
            CREATE VIEW s AS SELECT k, at, name, price FROM t WHERE k < 0;
            """;

    private static final int ROWS = 10_000;

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

    /** JSON, with an escaped backslash and a letter too, and CSV, after as long for the compiler. */
    static void lines(boolean quick, Report report) {
        long millis = quick ? 3_000 : 10_000;
        for (Form form : Form.values()) {
            boolean isJson = form != Form.CSV;
            byte[] text = text(form);
            measure(text, isJson, millis);
            double perSecond = measure(text, isJson, millis);
            report.add(new Measurement(
                    "parser alone", form.shown, text.length / ROWS, 1, perSecond, 0, 0, 1e6 / perSecond, 0));
        }
    }

    private static byte[] text(Form form) {
        StringBuilder text = new StringBuilder(form == Form.CSV ? "k,at,name,price\n" : "");
        for (int row = 0; row < ROWS; row++) {
            String at = "2026-01-01 00:%02d:%02d".formatted(row / 60 % 60, row % 60);
            text.append(form.line.formatted(row, at, row, row));
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static double measure(byte[] text, boolean isJson, long millis) {
        SqlProgram program = SqlProgram.compile(PROGRAM);
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(1))) {
            TableText table = new TableText(program.tables().getFirst(), circuit.input("t"));
            TableText.Failures none = (line, reason, shown) -> {
                throw new IllegalStateException("Line " + line + ": " + reason);
            };
            long nanos = 0;
            long rows = 0;
            while (nanos < TimeUnit.MILLISECONDS.toNanos(millis)) {
                long began = System.nanoTime();
                rows += isJson ? table.addNdjson(text, 0, text.length, none) : table.addCsv(text, 0, text.length, none);
                nanos += System.nanoTime() - began;
                circuit.step();
            }
            return rows * 1e9 / nanos;
        }
    }
}
