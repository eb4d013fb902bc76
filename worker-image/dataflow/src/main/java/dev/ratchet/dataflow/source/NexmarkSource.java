/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkGenerator;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.InputSource;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.environment.Environment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The events of Nexmark, a function of their numbers and the seed. The sequence of a request is the number of its last
 * event, so that whoever goes on makes those that follow. What falls behind the rate is caught up for one second only.
 */
final class NexmarkSource implements Source {

    /** At most so many events in a request; one has about 250 bytes. */
    private static final long REQUEST_EVENTS_MAX = 5_000;

    private static final long PERIOD_MILLIS = 50;
    private static final long ENDED_MILLIS = 60_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final InputSource.Nexmark nexmark;
    private final SourceLog log;
    private final Supplier<CompiledProgram> program;
    private final Environment environment;
    private final NexmarkGenerator generator;

    /** Events that may be sent now; the rate adds to it. */
    private double permitted;

    private long lookedNanos;

    NexmarkSource(
            InputSource.Nexmark nexmark, SourceLog log, Supplier<CompiledProgram> program, Environment environment) {
        this.nexmark = nexmark;
        this.log = log;
        this.program = program;
        this.environment = environment;
        this.generator = new NexmarkGenerator(nexmark.seed());
        this.lookedNanos = environment.nanoTime();
    }

    @Override
    public CompletableFuture<Long> look() {
        Map<NexmarkTable, Relation> tables = tables(program.get());
        long now = environment.nanoTime();
        double added = nexmark.eventsPerSecond() * ((now - lookedNanos) / NANOS_PER_SECOND);
        permitted = Math.min(permitted + added, (double) nexmark.eventsPerSecond());
        lookedNanos = now;
        return log.last().thenCompose(last -> generate(last + 1, tables));
    }

    private static Map<NexmarkTable, Relation> tables(CompiledProgram program) {
        Map<NexmarkTable, Relation> found = new EnumMap<>(NexmarkTable.class);
        for (NexmarkTable table : NexmarkTable.values()) {
            program.tables().stream()
                    .filter(relation -> relation.name().equalsIgnoreCase(table.title()))
                    .forEach(relation -> found.put(table, relation));
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("the program has none of the tables person, auction and bid; create"
                    + " those whose events are wanted");
        }
        return found;
    }

    private CompletableFuture<Long> generate(long first, Map<NexmarkTable, Relation> tables) {
        long left = nexmark.events() == 0 ? Long.MAX_VALUE : nexmark.events() - first;
        if (left <= 0) {
            return CompletableFuture.completedFuture(ENDED_MILLIS);
        }
        long count = Math.min(Math.min((long) permitted, REQUEST_EVENTS_MAX), left);
        if (count == 0) {
            return CompletableFuture.completedFuture(PERIOD_MILLIS);
        }
        List<TableRows> rows = rows(first, count, tables);
        return log.append(first + count - 1, rows).thenApply(appended -> {
            permitted -= count;
            return count == REQUEST_EVENTS_MAX ? 0 : PERIOD_MILLIS;
        });
    }

    /** Also of tables without an event, so that no request is without a table. */
    private List<TableRows> rows(long first, long count, Map<NexmarkTable, Relation> tables) {
        Map<NexmarkTable, StringBuilder> lines = new EnumMap<>(NexmarkTable.class);
        for (long number = first; number < first + count; number++) {
            NexmarkEvent event = generator.event(number);
            NexmarkLines.append(lines.computeIfAbsent(event.table(), table -> new StringBuilder()), event);
        }
        List<TableRows> rows = new ArrayList<>();
        tables.forEach((table, relation) -> {
            byte[] text =
                    lines.getOrDefault(table, new StringBuilder()).toString().getBytes(StandardCharsets.UTF_8);
            rows.add(new TableRows(relation.name(), RowFormat.NDJSON, text));
        });
        return rows;
    }
}
