/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.operator.WindowCall;
import dev.ratchet.circuits.operator.WindowFrame;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * After every step the errors of all steps sum to those of the rows that are there, found one by one: for random rows
 * that come, go and come again, and every number of threads.
 */
class ErrorsTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final ColumnType TINYINT = ColumnType.of(TypeKind.TINYINT).orNull();
    private static final List<ColumnType> COLUMNS = List.of(BIGINT, BIGINT, BIGINT);
    private static final int STEPS = 15;

    /** Key, number and time. */
    private record Row(long key, long number, long time) {
        String text() {
            return "#0 = " + key + ", #1 = " + number + ", #2 = " + time;
        }
    }

    /** What is expected of the rows that are there, with how often each is. */
    private interface Expected {
        void add(Map<Row, Long> rows, Map<String, Long> errors);
    }

    @Test
    void functionsFailByRow() {
        check(
                builder -> {
                    Stream rows = builder.table("t", COLUMNS);
                    builder.view("kept", rows.filter(row -> 7 / row.longAt(1) >= 0));
                    builder.view("mapped", rows.map(List.of(BIGINT), (row, out) -> out.setLong(0, odd(row))));
                    builder.view("many", rows.flatMap(List.of(BIGINT), (row, out) -> {
                        out.setLong(0, row.longAt(0));
                        out.emit();
                        out.setLong(0, odd(row));
                        out.emit();
                    }));
                },
                (rows, errors) -> rows.forEach((row, weight) -> {
                    if (row.number == 0) {
                        errors.merge("/ by zero of " + row.text(), weight, Long::sum);
                    }
                    if (row.number % 2 == 0) {
                        String text = "java.lang.IllegalArgumentException: " + row.number + " is even of ";
                        errors.merge(text + row.text(), 2 * weight, Long::sum);
                    }
                }));
    }

    private static long odd(RowView row) {
        if (row.longAt(1) % 2 == 0) {
            throw new IllegalArgumentException(row.longAt(1) + " is even");
        }
        return row.longAt(1);
    }

    @Test
    void conditionsOfJoinsFailByPair() {
        check(
                builder -> {
                    Stream rows = builder.table("t", COLUMNS);
                    builder.view(
                            "pairs",
                            rows.join(
                                    rows,
                                    JoinKind.INNER,
                                    List.of(0),
                                    List.of(0),
                                    pair -> 9 / (pair.longAt(1) + pair.longAt(4)) > 0));
                },
                (rows, errors) -> rows.forEach((one, weight) -> rows.forEach((two, other) -> {
                    if (one.key == two.key && one.number + two.number == 0) {
                        String pair = "#0 = " + one.key + ", #1 = " + one.number + ", #2 = " + one.time + ", #3 = "
                                + two.key + ", #4 = " + two.number + ", #5 = " + two.time;
                        errors.merge("/ by zero of " + pair, weight * other, Long::sum);
                    }
                })));
    }

    @Test
    void aggregatesFailByGroup() {
        AggregateCall sum = AggregateCall.of(AggregateKind.SUM, 1, TINYINT);
        AggregateCall single = AggregateCall.of(AggregateKind.SINGLE_VALUE, 1, BIGINT.orNull());
        check(
                builder -> {
                    Stream rows = builder.table("t", COLUMNS);
                    builder.view("sums", rows.aggregate(List.of(0), List.of(sum, AggregateCall.countRows(BIGINT))));
                    builder.view("all", rows.aggregate(List.of(), List.of(sum)));
                    builder.view("single", rows.aggregate(List.of(0, 2), List.of(single)));
                },
                (rows, errors) -> {
                    Map<String, Long> sums = new HashMap<>();
                    Map<String, Long> counts = new HashMap<>();
                    rows.forEach((row, weight) -> {
                        sums.merge("group of all rows", row.number * weight, Long::sum);
                        sums.merge("group #0 = " + row.key, row.number * weight, Long::sum);
                        counts.merge("group #0 = " + row.key + ", #1 = " + row.time, weight, Long::sum);
                    });
                    sums.forEach((group, total) -> expectSum(total, group, 1, errors));
                    counts.forEach((group, count) -> {
                        if (count > 1) {
                            errors.merge("A scalar subquery gave more than one row of " + group, 1L, Long::sum);
                        }
                    });
                });
    }

    @Test
    void sessionsAndWindowsFailByRow() {
        AggregateCall sum = AggregateCall.of(AggregateKind.SUM, 1, TINYINT);
        List<SortColumn> order = List.of(SortColumn.ascending(2));
        check(
                builder -> {
                    Stream rows = builder.table("t", COLUMNS);
                    Stream sessions = rows.sessions(List.of(0), 2, 1);
                    builder.view("sessions", sessions.aggregate(List.of(0, 3, 4), List.of(sum)));
                    builder.view(
                            "running",
                            rows.window(
                                    List.of(0),
                                    order,
                                    List.of(WindowCall.over(
                                            sum, new WindowFrame(true, WindowFrame.UNBOUNDED_PRECEDING, 0)))));
                    builder.view(
                            "near",
                            rows.window(
                                    List.of(0), order, List.of(WindowCall.over(sum, new WindowFrame(true, -1, 1)))));
                },
                (rows, errors) -> {
                    rows.forEach((row, weight) -> {
                        expectSum(sum(rows, row.key, Long.MIN_VALUE, row.time), row.text(), weight, errors);
                        expectSum(sum(rows, row.key, row.time - 1, row.time + 1), row.text(), weight, errors);
                    });
                    Set<String> sessions = new HashSet<>();
                    for (Row row : rows.keySet()) {
                        long start = row.time;
                        long end = row.time;
                        while (isThere(rows, row.key, start - 1)) {
                            start--;
                        }
                        while (isThere(rows, row.key, end + 1)) {
                            end++;
                        }
                        String session = "group #0 = " + row.key + ", #1 = " + start + ", #2 = " + (end + 1);
                        if (sessions.add(session)) {
                            expectSum(sum(rows, row.key, start, end), session, 1, errors);
                        }
                    }
                });
    }

    private static boolean isThere(Map<Row, Long> rows, long key, long time) {
        return rows.keySet().stream().anyMatch(row -> row.key == key && row.time == time);
    }

    private static long sum(Map<Row, Long> rows, long key, long from, long to) {
        return rows.entrySet().stream()
                .filter(row -> row.getKey().key == key)
                .filter(row -> row.getKey().time >= from && row.getKey().time <= to)
                .mapToLong(row -> row.getKey().number * row.getValue())
                .sum();
    }

    private static void expectSum(long total, String of, long weight, Map<String, Long> errors) {
        if (total != (byte) total) {
            errors.merge("SUM is " + total + ", which does not fit TINYINT of " + of, weight, Long::sum);
        }
    }

    /** Edges lead from keys to times; a path that would end in 3 can not be computed. */
    @Test
    void whatARecursionDerivesFailsAsItsFixpoint() {
        List<ColumnType> pair = List.of(BIGINT, BIGINT);
        check(
                builder -> {
                    Stream edges = builder.table("t", COLUMNS).project(List.of(0, 2));
                    builder.view(
                            "paths",
                            builder.recursive(
                                            "paths",
                                            List.of(pair),
                                            paths -> List.of(edges.plus(paths.get(0)
                                                    .join(edges, JoinKind.INNER, List.of(1), List.of(0))
                                                    .map(pair, (row, out) -> {
                                                        if (row.longAt(3) == 3) {
                                                            throw new IllegalArgumentException("3");
                                                        }
                                                        out.setLong(0, row.longAt(0));
                                                        out.setLong(1, row.longAt(3));
                                                    }))))
                                    .get(0));
                },
                (rows, errors) -> {
                    Map<List<Long>, Long> edges = new HashMap<>();
                    rows.forEach((row, weight) -> edges.merge(List.of(row.key, row.time), weight, Long::sum));
                    Set<List<Long>> paths = new HashSet<>(edges.keySet());
                    for (int size = -1; size != paths.size(); ) {
                        size = paths.size();
                        for (List<Long> path : List.copyOf(paths)) {
                            edges.keySet().stream()
                                    .filter(edge -> edge.get(0).equals(path.get(1)) && edge.get(1) != 3)
                                    .forEach(edge -> paths.add(List.of(path.get(0), edge.get(1))));
                        }
                    }
                    paths.forEach(path -> edges.forEach((edge, weight) -> {
                        if (edge.get(0).equals(path.get(1)) && edge.get(1) == 3) {
                            String row = "#0 = " + path.get(0) + ", #1 = " + path.get(1) + ", #2 = " + edge.get(0)
                                    + ", #3 = 3";
                            String text = "java.lang.IllegalArgumentException: 3 of ";
                            errors.merge(text + row, weight, Long::sum);
                        }
                    }));
                });
    }

    private static void check(Consumer<CircuitBuilder> program, Expected expected) {
        Samples.seeds(12).forEach(seed -> {
            for (int threads = 1; threads <= 3; threads++) {
                CircuitBuilder builder = new CircuitBuilder();
                program.accept(builder);
                CircuitOptions options = CircuitOptions.inMemory(threads).withSmallStepRows(0);
                try (Circuit circuit = new Circuit(builder.build(), options)) {
                    run(circuit, new SplittableRandom(seed), expected, "seed " + seed + ", " + threads + " threads");
                }
            }
        });
    }

    private static void run(Circuit circuit, SplittableRandom random, Expected expected, String run) {
        Map<Row, Long> rows = new HashMap<>();
        Map<String, Long> found = new TreeMap<>();
        for (int step = 0; step < STEPS; step++) {
            for (int change = random.nextInt(6); change > 0; change--) {
                changeOne(circuit.input("t"), rows, random);
            }
            circuit.step();
            collect(circuit, found);
            Map<String, Long> wanted = new TreeMap<>();
            expected.add(rows, wanted);
            assertThat(found).as(run + ", step " + step).isEqualTo(wanted);
        }
    }

    private static void changeOne(TableInput input, Map<Row, Long> rows, SplittableRandom random) {
        boolean takesBack = !rows.isEmpty() && random.nextInt(5) < 2;
        Row row = takesBack
                ? new ArrayList<>(rows.keySet()).get(random.nextInt(rows.size()))
                : new Row(random.nextInt(3), random.nextInt(-2, 3) * 25L, random.nextInt(6));
        long weight = takesBack ? -1 : 1 + random.nextInt(2);
        input.setLong(0, row.key);
        input.setLong(1, row.number);
        input.setLong(2, row.time);
        input.add(weight);
        rows.merge(row, weight, Long::sum);
        rows.values().removeIf(left -> left == 0);
    }

    private static void collect(Circuit circuit, Map<String, Long> found) {
        for (BatchCursor error = circuit.errors().cursor(); error.valid(); error.next()) {
            String text = error.stringAt(2);
            String message = text.contains(";") ? text.substring(0, text.indexOf(';')) : text;
            found.merge(message + " of " + error.stringAt(3), error.weight(), Long::sum);
        }
        found.values().removeIf(weight -> weight == 0);
    }
}
