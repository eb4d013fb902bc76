/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.builder.CircuitBuilder;
import dev.ratchet.circuits.builder.JoinKind;
import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.builder.TableOptions;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.AtMost;
import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.operator.WindowCall;
import dev.ratchet.circuits.operator.WindowCall.WindowKind;
import dev.ratchet.circuits.operator.WindowFrame;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.TypeKind;
import java.awt.Rectangle;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CircuitTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    private static Plan plan() {
        CircuitBuilder builder = new CircuitBuilder();
        Stream left = builder.table("left", List.of(BIGINT, BIGINT));
        Stream right = builder.table("right", List.of(BIGINT, BIGINT));
        builder.view("joined", left.join(right, JoinKind.INNER, List.of(0), List.of(0)));
        builder.view(
                "sums", right.aggregate(List.of(0), List.of(AggregateCall.of(AggregateKind.SUM, 1, BIGINT.orNull()))));
        builder.view(
                "paths",
                builder.recursive(
                                "paths",
                                List.of(List.of(BIGINT, BIGINT)),
                                variables -> List.of(left.plus(variables
                                        .get(0)
                                        .join(left, JoinKind.INNER, List.of(1), List.of(0))
                                        .project(List.of(0, 3)))))
                        .get(0));
        return builder.build();
    }

    private static void add(Circuit circuit, String table, long key, long value) {
        change(circuit, table, key, value, 1);
    }

    private static void take(Circuit circuit, String table, long key, long value) {
        change(circuit, table, key, value, -1);
    }

    private static void change(Circuit circuit, String table, long key, long value, long weight) {
        TableInput input = circuit.input(table);
        input.setLong(0, key);
        input.setLong(1, value);
        input.add(weight);
    }

    private static long evaluations(Circuit circuit) {
        return circuit.metrics().stream()
                .mapToLong(OperatorMetrics::evaluations)
                .sum();
    }

    @Test
    void operatorsThatNoChangeReachAreNotAsked() {
        try (Circuit circuit = new Circuit(plan(), CircuitOptions.inMemory(3))) {
            circuit.step();
            long before = evaluations(circuit);
            for (int step = 0; step < 1000; step++) {
                circuit.step();
            }
            assertThat(evaluations(circuit)).isEqualTo(before);
            add(circuit, "right", 1, 1);
            circuit.step();
            assertThat(circuit.metrics().stream()
                            .filter(operator -> operator.description().equals("left"))
                            .mapToLong(OperatorMetrics::evaluations)
                            .sum())
                    .isZero();
            assertThat(circuit.output("sums").rowCount()).isEqualTo(1);
        }
    }

    @Test
    void idsAndFingerprintAreThoseOfTheProgram() {
        Plan one = plan();
        Plan two = plan();
        assertThat(one.fingerprint()).isEqualTo(two.fingerprint());
        assertThat(one.allNodes().stream().map(one::idOf)).doesNotHaveDuplicates();
        assertThat(one.allNodes().stream().map(one::idOf))
                .containsExactlyElementsOf(
                        two.allNodes().stream().map(two::idOf).toList());
    }

    @Test
    void anErrorThatIsToStopEndsTheCircuitInEveryNumberOfLanes() {
        for (int workerThreads : new int[] {1, 2, 4}) {
            CircuitOptions options =
                    CircuitOptions.inMemory(workerThreads).withSmallStepRows(0).withOnError(OnError.STOP);
            try (Circuit circuit = new Circuit(plan(), options)) {
                add(circuit, "right", 1, Long.MAX_VALUE);
                circuit.step();
                add(circuit, "right", 1, 1);
                assertThatThrownBy(circuit::step)
                        .isInstanceOf(StepFailedException.class)
                        .hasMessageContaining("SUM is 9223372036854775808, which does not fit BIGINT")
                        .hasMessageContaining("; it is the group #0 = 1 (")
                        .hasMessageContaining("aggregate: SUM(#1)");
                assertThatThrownBy(circuit::step)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("last committed state");
            }
        }
    }

    @Test
    void aPictureShowsOperatorsAndWhatTheyDid() {
        try (Circuit circuit = new Circuit(plan(), CircuitOptions.inMemory(2))) {
            add(circuit, "left", 1, 2);
            add(circuit, "right", 1, 3);
            circuit.step();
            CircuitPicture picture = circuit.picture();
            assertThat(picture.dot())
                    .startsWith("digraph circuit {")
                    .contains("subgraph cluster_", "recursion paths")
                    .contains("1 rows");
            assertThat(picture.json())
                    .contains("\"fingerprint\": \"" + circuit.plan().fingerprint())
                    .contains("\"kind\": \"join\"")
                    .contains("\"stateRows\": 1");
            assertThat(picture.svg())
                    .startsWith("<svg")
                    .contains("remembers 1 rows")
                    .endsWith("</svg>\n");
        }
    }

    @Test
    void boxesOfAPictureDoNotOverlapAndTheirLinesFit() {
        try (Circuit circuit = new Circuit(plan(), CircuitOptions.inMemory(1))) {
            String svg = circuit.picture().svg();
            List<Rectangle> boxes = Pattern.compile("<rect x=.(\\d+). y=.(\\d+). width=.(\\d+). height=.(\\d+).")
                    .matcher(svg)
                    .results()
                    .map(box -> new Rectangle(
                            Integer.parseInt(box.group(1)),
                            Integer.parseInt(box.group(2)),
                            Integer.parseInt(box.group(3)),
                            Integer.parseInt(box.group(4))))
                    .toList();
            assertThat(boxes).hasSize(circuit.plan().allNodes().size());
            for (Rectangle box : boxes) {
                assertThat(boxes.stream().filter(box::intersects)).hasSize(1);
            }
            // Eleven pixels high, so hardly seven wide.
            assertThat(Pattern.compile("<text[^>]*>([^<]*)<").matcher(svg).results())
                    .allMatch(line -> line.group(1).length() * 7 <= boxes.get(0).width + 14);
        }
    }

    @Test
    void unknownNamesAreAnsweredWithThoseThatAre() {
        try (Circuit circuit = new Circuit(plan(), CircuitOptions.inMemory(1))) {
            assertThatThrownBy(() -> circuit.input("middle")).hasMessageContaining("[left, right]");
            assertThatThrownBy(() -> circuit.output("middle")).hasMessageContaining("[joined, sums, paths]");
        }
    }

    /** Steps that are measured. */
    private static final int CHANGES = 50;

    /** Law L29: what a step of one row reads does not grow with what is remembered. */
    @Test
    void theWorkOfAStepDependsOnTheChangeAndNotOnTheState() {
        double few = seeksPerStep(2_000);
        double many = seeksPerStep(30_000);
        assertThat(few).isPositive();
        // Levels of a trace are as many as the logarithm of its rows says.
        assertThat(many).isLessThan(3 * few).isLessThan(300);
    }

    private static double seeksPerStep(int rows) {
        CircuitBuilder builder = new CircuitBuilder();
        Stream left = builder.table("left", List.of(BIGINT, BIGINT));
        Stream right = builder.table("right", List.of(BIGINT, BIGINT));
        Stream joined = left.join(right, JoinKind.LEFT, List.of(0), List.of(0));
        builder.view("joined", joined);
        builder.view("distinct", left.distinct().except(right));
        builder.view(
                "groups",
                left.aggregate(
                        List.of(0),
                        List.of(
                                AggregateCall.of(AggregateKind.SUM, 1, BIGINT.orNull()),
                                AggregateCall.of(AggregateKind.MIN, 1, BIGINT.orNull()),
                                AggregateCall.of(AggregateKind.COUNT, 1, BIGINT).ofDistinct())));
        builder.view("first", left.topK(List.of(0), List.of(SortColumn.descending(1)), 2));
        return seeksPerStep(
                builder,
                rows,
                (circuit, row) -> {
                    add(circuit, "left", row, row);
                    add(circuit, "right", row, row);
                },
                (circuit, step) -> add(circuit, "left", step * 7L, rows),
                circuit -> assertThat(circuit.output("joined").rowCount()).isEqualTo(1));
    }

    /** Rows that only come are looked up as they came while a key has few of them, and read in order from then on. */
    @Test
    void aJoinThatComparesNumbersReadsOnlySomeRowsOfALargeKey() {
        CircuitBuilder builder = new CircuitBuilder();
        TableOptions comes = new TableOptions(List.of(), null, true, false, false);
        Stream left = builder.table("left", List.of(BIGINT, BIGINT), comes);
        Stream right = builder.table("right", List.of(BIGINT, BIGINT), comes);
        builder.view("joined", left.join(right, JoinKind.INNER, List.of(0), List.of(0), new LeftAtMostRight()));
        int rows = 5_000;
        try (Circuit circuit = new Circuit(builder.build(), CircuitOptions.inMemory(1))) {
            for (int i = 0; i < rows; i++) {
                add(circuit, "left", 1, i);
                if (i % 100 == 99) {
                    add(circuit, "right", 1, 2);
                    circuit.step();
                    assertThat(circuit.output("joined").rowCount()).isEqualTo(3);
                }
            }
            long before = seeks(circuit);
            add(circuit, "right", 1, 9);
            circuit.step();
            assertThat(circuit.output("joined").rowCount()).isEqualTo(10);
            assertThat(seeks(circuit) - before).isLessThan(100);
        }
    }

    private record LeftAtMostRight() implements RowFilter {

        @Override
        public boolean test(RowView row) {
            return row.longAt(1) <= row.longAt(3);
        }

        @Override
        public List<AtMost> atMost() {
            return List.of(new AtMost(1, 3));
        }
    }

    /** Law L29 within one group: what sees only so far reads the rows near a change, however large the group. */
    @Test
    void windowsSessionsAndAsOfJoinsReadWhatIsNearTheChange() {
        double few = readsPerStep(1_000);
        double many = readsPerStep(30_000);
        assertThat(few).isPositive();
        assertThat(many).isLessThan(3 * few).isLessThan(1_000);
    }

    private static double readsPerStep(int rows) {
        CircuitBuilder builder = new CircuitBuilder();
        Stream ticks = builder.table("ticks", List.of(BIGINT, BIGINT));
        Stream trades = builder.table("trades", List.of(BIGINT, BIGINT));
        List<SortColumn> order = List.of(SortColumn.ascending(1));
        AggregateCall count = AggregateCall.countRows(BIGINT);
        builder.view(
                "rolling",
                ticks.window(List.of(), order, List.of(WindowCall.over(count, new WindowFrame(true, -50, 0)))));
        builder.view(
                "sliding",
                ticks.window(List.of(), order, List.of(WindowCall.over(count, new WindowFrame(false, -5, 5)))));
        builder.view(
                "lagging",
                ticks.window(
                        List.of(),
                        order,
                        List.of(WindowCall.shift(WindowKind.LAG, 1, 1, AggregateCall.NO_COLUMN, BIGINT.orNull()))));
        builder.view("sessions", ticks.sessions(List.of(), 1, 10));
        builder.view("quoted", trades.asOf(ticks, JoinKind.LEFT, List.of(0), List.of(0), 1, 1));
        builder.view("first", ticks.topK(List.of(), order, 10));
        return seeksPerStep(
                builder,
                rows,
                (circuit, row) -> {
                    // Every tenth pause is long enough to end a session.
                    long time = row * 10L + row / 10 * 10L;
                    add(circuit, "ticks", 0, time);
                    add(circuit, "trades", 0, time + 5);
                },
                (circuit, step) -> add(circuit, "ticks", 0, (long) rows / CHANGES * step * 11 + 3),
                circuit -> {
                    assertThat(circuit.output("rolling").rowCount()).isPositive();
                    assertThat(circuit.output("quoted").rowCount()).isLessThan(20);
                });
    }

    /**
     * Law L29 for aggregates of sessions: rows come and go in one session, however long, and it is not read anew.
     * Another lies in front.
     */
    @Test
    void aggregatesOfSessionsReadTheNeighboursOfWhatLeaves() {
        double few = sessionReadsPerStep(1_000);
        double many = sessionReadsPerStep(30_000);
        assertThat(few).isPositive();
        assertThat(many).isLessThan(3 * few).isLessThan(200);
    }

    private static double sessionReadsPerStep(int rows) {
        CircuitBuilder builder = new CircuitBuilder();
        builder.view(
                "sessions",
                builder.table("ticks", List.of(BIGINT, BIGINT))
                        .sessions(List.of(0), 1, 20)
                        .aggregate(List.of(0, 2), List.of(AggregateCall.of(AggregateKind.SUM, 1, BIGINT.orNull()))));
        return seeksPerStep(
                builder,
                rows,
                (circuit, row) -> add(circuit, "ticks", 0, row == 0 ? -1_000 : row * 10L),
                (circuit, step) -> {
                    // The first row, the last, those near each end, and one amid.
                    int row = List.of(step + 1, rows - 1 - step, rows / 2 + 3 * step)
                            .get(step % 3);
                    take(circuit, "ticks", 0, row * 10L);
                    add(circuit, "ticks", 0, rows * 5L + step);
                },
                circuit -> assertThat(circuit.output("sessions").rowCount()).isEqualTo(2));
    }

    /** Law L29 for what sees its group from the start: it reads from the mark in front, as far as anything changes. */
    @Test
    void runningWindowsReadFromTheMarkInFrontOfTheChange() {
        double few = runningReadsPerStep(1_000);
        double many = runningReadsPerStep(30_000);
        assertThat(few).isPositive();
        assertThat(many).isLessThan(5 * few).isLessThan(500);
    }

    private static double runningReadsPerStep(int rows) {
        CircuitBuilder builder = new CircuitBuilder();
        Stream sales = builder.table("sales", List.of(BIGINT, BIGINT));
        Stream levels = builder.table("levels", List.of(BIGINT, BIGINT));
        List<SortColumn> order = List.of(SortColumn.ascending(1));
        WindowFrame toRow = new WindowFrame(false, WindowFrame.UNBOUNDED_PRECEDING, 0);
        builder.view(
                "totals",
                sales.window(
                        List.of(),
                        order,
                        List.of(
                                WindowCall.rank(WindowKind.ROW_NUMBER, BIGINT),
                                WindowCall.over(AggregateCall.of(AggregateKind.SUM, 0, BIGINT.orNull()), toRow))));
        builder.view(
                "highest",
                levels.window(
                        List.of(),
                        order,
                        List.of(WindowCall.over(
                                AggregateCall.of(AggregateKind.MAX, 0, BIGINT.orNull()), WindowFrame.TO_CURRENT))));
        return seeksPerStep(
                builder,
                rows,
                (circuit, row) -> {
                    add(circuit, "sales", row, row);
                    add(circuit, "levels", row, row);
                },
                (circuit, step) -> {
                    add(circuit, "sales", step, rows + step);
                    add(circuit, "levels", 0, (long) rows / CHANGES * step);
                },
                circuit -> {
                    assertThat(circuit.output("totals").rowCount()).isEqualTo(1);
                    assertThat(circuit.output("highest").rowCount()).isEqualTo(1);
                });
    }

    /** What a step of one change seeks and reads behind a state of so many rows. */
    private static double seeksPerStep(
            CircuitBuilder program,
            int rows,
            ObjIntConsumer<Circuit> addRow,
            ObjIntConsumer<Circuit> change,
            Consumer<Circuit> check) {
        try (Circuit circuit = new Circuit(program.build(), CircuitOptions.inMemory(1))) {
            for (int row = 0; row < rows; row++) {
                addRow.accept(circuit, row);
                if (row % 500 == 499) {
                    circuit.step();
                }
            }
            circuit.step();
            long before = seeks(circuit);
            for (int step = 0; step < CHANGES; step++) {
                change.accept(circuit, step);
                circuit.step();
                check.accept(circuit);
            }
            return (seeks(circuit) - before) / (double) CHANGES;
        }
    }

    private static long seeks(Circuit circuit) {
        return circuit.metrics().stream().mapToLong(OperatorMetrics::seeks).sum();
    }
}
