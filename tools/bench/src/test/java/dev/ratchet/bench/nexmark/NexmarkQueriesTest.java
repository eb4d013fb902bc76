/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkGenerator;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import dev.ratchet.circuits.sql.DuckTables;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.ViewContents;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * After every step each query holds what DuckDB answers over the rows as they are then. More steps, and larger ones, by
 * {@code -Dratchet.nexmark.steps=N} and {@code -Dratchet.nexmark.changes=N}.
 */
class NexmarkQueriesTest {

    private static final int STEPS = Integer.getInteger("ratchet.nexmark.steps", 3);
    private static final int CHANGES = Integer.getInteger("ratchet.nexmark.changes", 300);

    /** A second has few events, so that windows and sessions end within a small run. */
    private static final long INTERVAL_MICROS = 15_000;

    @ParameterizedTest(name = "{0} threads, {1} retractions of 100 changes, seed {2}")
    @CsvSource({"1, 0, 1", "2, 10, 30", "3, 10, 40"})
    void everyQueryHoldsWhatDuckDbAnswersAfterEveryStep(int threads, int retractions, long seed) throws Exception {
        List<NexmarkQuery> queries = NexmarkQuery.all();
        String program = NexmarkQuery.tables()
                + queries.stream()
                        .map(query -> "\nCREATE VIEW " + query.name() + " AS\n" + query.text() + ";")
                        .collect(Collectors.joining());
        NexmarkGenerator generator = new NexmarkGenerator(seed, INTERVAL_MICROS);
        NexmarkChanges changes = new NexmarkChanges(number -> generator.event(fewerBids(number)), seed, retractions);
        try (DuckTables duck = new DuckTables();
                ViewContents ours = new ViewContents(program, threads)) {
            Map<String, Relation> tables =
                    ours.program().tables().stream().collect(Collectors.toMap(Relation::name, Function.identity()));
            for (Relation table : tables.values()) {
                duck.create(table);
            }
            for (long id = 1_000; id < 1_300; id += 2) {
                change(duck, ours, tables.get("side_input"), List.of(id, "label " + id), 1);
            }
            for (int step = 0; step < STEPS; step++) {
                for (int i = 0; i < CHANGES; i++) {
                    NexmarkChanges.Change change = changes.next();
                    NexmarkEvent event = change.event();
                    change(duck, ours, tables.get(event.table().title()), objects(event), change.weight());
                }
                ours.step();
                for (NexmarkQuery query : queries) {
                    assertThat(ours.content(query.name()))
                            .as("%s after step %d", query.name(), step)
                            .isEqualTo(duck.query(query.text("duckdb")));
                }
            }
            assertThat(queries)
                    .filteredOn(query -> ours.content(query.name()).isEmpty())
                    .as("queries that were not tried")
                    .isEmpty();
        }
    }

    /** Every person and auction, and one bid of six: queries meet more of what they ask for. */
    private static long fewerBids(long number) {
        long cycle = number / 12 * 50;
        long place = number % 12;
        return cycle + (place < 4 ? place : 4 + (place - 4) * 6);
    }

    private static void change(DuckTables duck, ViewContents ours, Relation table, List<Object> row, int weight)
            throws Exception {
        duck.change(table, row, weight);
        ours.change(table, row, weight);
    }

    private static List<Object> objects(NexmarkEvent event) {
        List<Object> row = new ArrayList<>(event.values());
        for (int i = 0; i < row.size(); i++) {
            if (event.table().columns().get(i).kind() == NexmarkTable.Kind.TIME) {
                row.set(i, LocalDateTime.ofInstant(Instant.ofEpochMilli((Long) row.get(i)), ZoneOffset.UTC));
            }
        }
        return row;
    }
}
