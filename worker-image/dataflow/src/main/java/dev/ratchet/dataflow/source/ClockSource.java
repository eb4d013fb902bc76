/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.circuits.expression.function.TimeText;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.TypeKind;
import dev.ratchet.dataflow.InputSource;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.environment.Environment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Rows with the time, one for each interval. The sequence of a row is its time in milliseconds, a multiple of the
 * interval, so that rows come in order and none twice, also where the clocks of two workers differ or the interval is
 * changed. Rows that nobody could append in their time follow later, the newest {@value #MISSED_MAX} of them.
 */
final class ClockSource implements Source {

    static final String COLUMN = "ticked_at";

    private static final int MISSED_MAX = 1_000;
    private static final long MICROS_PER_MILLI = 1_000;

    private final InputSource.Clock clock;
    private final SourceLog log;
    private final Supplier<CompiledProgram> program;
    private final Environment environment;

    ClockSource(InputSource.Clock clock, SourceLog log, Supplier<CompiledProgram> program, Environment environment) {
        this.clock = clock;
        this.log = log;
        this.program = program;
        this.environment = environment;
    }

    @Override
    public CompletableFuture<Long> look() {
        Relation table = SourceTables.named(program.get(), clock.name());
        SourceTables.requireColumn(table, COLUMN, TypeKind.TIMESTAMP);
        return log.last().thenCompose(last -> tick(table, last)).thenApply(appended -> untilNext());
    }

    private CompletableFuture<Void> tick(Relation table, long last) {
        long interval = clock.intervalMillis();
        long now = environment.wallClockMillis() / interval * interval;
        if (now <= last) {
            return CompletableFuture.completedFuture(null);
        }
        long first =
                last < 0 ? now : Math.max(last / interval * interval + interval, now - (MISSED_MAX - 1) * interval);
        StringBuilder rows = new StringBuilder();
        for (long time = first; time <= now; time += interval) {
            rows.append("{\"").append(COLUMN).append("\":\"");
            rows.append(TimeText.timestamp(time * MICROS_PER_MILLI)).append("\"}\n");
        }
        byte[] text = rows.toString().getBytes(StandardCharsets.UTF_8);
        return log.append(now, List.of(new TableRows(table.name(), RowFormat.NDJSON, text)));
    }

    private long untilNext() {
        long interval = clock.intervalMillis();
        return interval - Math.floorMod(environment.wallClockMillis(), interval);
    }
}
