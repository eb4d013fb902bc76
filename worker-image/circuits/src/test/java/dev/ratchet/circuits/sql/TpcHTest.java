/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The queries of TPC-H as views of one program: each holds what DuckDB answers while rows of all tables come and go.
 */
class TpcHTest {

    private static final String PROGRAM = program();

    private static final int STEPS = 4;

    /** Quotients of decimals have so many digits here, and are doubles there. */
    private static final int QUOTIENT_DIGITS = 6;

    private static final Set<String> QUOTIENTS = Set.of("q8 mkt_share", "q14 promo_revenue", "q17 avg_yearly");

    @Test
    void everyQueryHoldsWhatDuckDbAnswersAfterEveryStep() throws Exception {
        Set<String> views = new TreeSet<>();
        Set<String> tried = new TreeSet<>();
        for (long seed : Samples.seeds(1).toArray()) {
            compare(seed, views, tried);
        }
        assertThat(tried).as("views that held a row").isEqualTo(views);
    }

    /** Adds all views to the one set, and those that held something to the other. */
    private static void compare(long seed, Set<String> views, Set<String> tried) throws Exception {
        try (DuckTables duck = new DuckTables();
                ViewContents ours = new ViewContents(PROGRAM, Samples.threads(seed))) {
            Map<String, Relation> tables =
                    ours.program().tables().stream().collect(Collectors.toMap(Relation::name, Function.identity()));
            for (Relation table : tables.values()) {
                duck.create(table);
            }
            duck.execute(PROGRAM.substring(PROGRAM.indexOf("CREATE VIEW")));
            TpcHRows rows = new TpcHRows(seed, (table, row, weight) -> {
                duck.change(tables.get(table), row, weight);
                ours.change(tables.get(table), row, weight);
            });
            for (int step = 0; step < STEPS; step++) {
                rows.change();
                ours.step();
                for (Relation view : ours.program().views()) {
                    views.add(view.name());
                    Map<String, Long> content = ours.content(view.name());
                    assertThat(content)
                            .as("seed %d, step %d, %s", seed, step, view.name())
                            .isEqualTo(duck.query(query(view)));
                    if (content.keySet().stream().anyMatch(row -> !row.contains("NULL"))) {
                        tried.add(view.name());
                    }
                }
            }
        }
    }

    private static String query(Relation view) {
        return view.columns().stream()
                .map(Relation.Column::name)
                .map(column -> QUOTIENTS.contains(view.name() + " " + column)
                        ? "ROUND(" + column + ", " + QUOTIENT_DIGITS + ")"
                        : column)
                .collect(Collectors.joining(", ", "SELECT ", " FROM " + view.name()));
    }

    private static String program() {
        try (InputStream text = Objects.requireNonNull(TpcHTest.class.getResourceAsStream("tpc-h.sql"))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
