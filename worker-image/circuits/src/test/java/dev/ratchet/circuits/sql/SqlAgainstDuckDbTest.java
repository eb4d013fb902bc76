/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After every step each view holds what DuckDB answers over the tables as they are then. */
class SqlAgainstDuckDbTest {

    private static final int VIEWS = 6;
    private static final int VIEWS_OF_VIEWS = 2;
    private static final int STEPS = 6;

    static LongStream seeds() {
        return Samples.seeds(30);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void viewsHoldWhatDuckDbAnswersAfterEveryStep(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<Relation> tables = List.of(RandomTables.table("t", random), RandomTables.table("u", random));
        RandomQueries queries = new RandomQueries(random.nextLong(), tables);
        List<String> views = new ArrayList<>();
        for (int i = 0; i < VIEWS; i++) {
            views.add(queries.query());
        }
        for (int i = 0; i < VIEWS_OF_VIEWS; i++) {
            views.add(queries.ofViews(IntStream.range(0, views.size())
                    .mapToObj(view -> "v" + view)
                    .toList()));
        }
        String program = RandomTables.program(tables, views);
        try (DuckTables duck = new DuckTables();
                ViewContents ours = new ViewContents(program, Samples.threads(seed))) {
            for (Relation table : tables) {
                duck.create(table);
            }
            for (int i = 0; i < views.size(); i++) {
                duck.execute("CREATE VIEW v" + i + " AS " + views.get(i));
            }
            List<List<List<@Nullable Object>>> contents = List.of(new ArrayList<>(), new ArrayList<>());
            for (int step = 0; step < STEPS; step++) {
                for (int i = random.nextInt(8); i > 0; i--) {
                    int which = random.nextInt(tables.size());
                    change(tables.get(which), contents.get(which), random, duck, ours);
                }
                ours.step();
                for (int i = 0; i < views.size(); i++) {
                    Map<String, Long> expected = duck.query(views.get(i));
                    assertThat(ours.content("v" + i))
                            .as("seed %d, step %d, %s\nof\n%s\n%s", seed, step, views.get(i), program, contents)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static void change(
            Relation table,
            List<List<@Nullable Object>> content,
            SplittableRandom random,
            DuckTables duck,
            ViewContents ours)
            throws Exception {
        if (!content.isEmpty() && random.nextInt(3) == 0) {
            List<@Nullable Object> gone = content.remove(random.nextInt(content.size()));
            duck.change(table, gone, -1);
            ours.change(table, gone, -1);
            return;
        }
        List<@Nullable Object> row = new ArrayList<>();
        table.columns().forEach(column -> row.add(RandomTables.value(column.type(), random)));
        int weight = random.nextInt(5) == 0 ? 2 : 1;
        for (int i = 0; i < weight; i++) {
            content.add(row);
        }
        duck.change(table, row, weight);
        ours.change(table, row, weight);
    }
}
