/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.Twin;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recursions against naive least fixpoints at every step, edges coming and going (laws L22 to L24). */
class RecursionTest {

    /** Few values, so that paths and cycles come about. */
    private static final ColumnType NODE = ColumnType.decimal(1, 0);

    private static final ColumnType NUMBER = ColumnType.of(TypeKind.BIGINT);
    private static final List<ColumnType> EDGE = List.of(NODE, NODE);
    private static final List<ColumnType> DISTANCE = List.of(NODE, NODE, NUMBER.orNull());

    static LongStream seeds() {
        return Samples.seeds(10);
    }

    private static Stream step(Stream paths, Stream edges) {
        return paths.join(edges, JoinKind.INNER, List.of(1), List.of(0)).project(List.of(0, 3));
    }

    private static Set<List<Object>> setOf(ModelSet set) {
        Set<List<Object>> rows = new HashSet<>();
        set.weights().forEach((row, weight) -> {
            if (weight > 0) {
                rows.add(row);
            }
        });
        return rows;
    }

    private static Set<List<Object>> compose(Set<List<Object>> first, Set<List<Object>> second) {
        Set<List<Object>> result = new HashSet<>();
        for (List<Object> one : first) {
            for (List<Object> two : second) {
                if (one.get(1).equals(two.get(0))) {
                    result.add(List.of(one.get(0), two.get(1)));
                }
            }
        }
        return result;
    }

    private static Set<List<Object>> union(Set<List<Object>> one, Set<List<Object>> two) {
        Set<List<Object>> both = new HashSet<>(one);
        both.addAll(two);
        return both;
    }

    private static ModelSet fixpoint(UnaryOperator<Set<List<Object>>> derive) {
        Set<List<Object>> rows = Set.of();
        while (true) {
            Set<List<Object>> next = derive.apply(rows);
            if (next.equals(rows)) {
                ModelSet set = new ModelSet();
                rows.forEach(row -> set.add(row, 1));
                return set;
            }
            rows = next;
        }
    }

    /** One recursive relation over one table of edges, against the least fixpoint of sets. */
    private static void checkFixpoint(
            Twin twin, BinaryOperator<Stream> body, BinaryOperator<Set<List<Object>>> derive) {
        twin.check(
                (builder, tables) -> builder.recursive(
                                "paths",
                                List.of(EDGE),
                                variables -> List.of(body.apply(variables.get(0), tables.get(0))))
                        .get(0),
                sets -> {
                    Set<List<Object>> edges = setOf(sets.get(0));
                    return fixpoint(paths -> derive.apply(paths, edges));
                });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void reachabilityFollowsEdgesThatComeAndGo(long seed) {
        checkFixpoint(
                new Twin(seed, List.of(EDGE)).size(10, 5),
                (paths, edges) -> edges.plus(step(paths, edges)),
                (paths, edges) -> union(edges, compose(paths, edges)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRecursionMayJoinItselfWithItself(long seed) {
        checkFixpoint(
                new Twin(seed, List.of(EDGE)).size(10, 5),
                (paths, edges) -> edges.plus(step(paths, paths)),
                (paths, edges) -> union(edges, compose(paths, paths)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void pathsOfOddAndEvenLengthDependOnEachOther(long seed) {
        new Twin(seed, List.of(EDGE))
                .size(10, 4)
                .check(
                        (builder, tables) -> builder.recursive(
                                        "lengths",
                                        List.of(EDGE, EDGE),
                                        variables -> List.of(
                                                tables.get(0).plus(step(variables.get(1), tables.get(0))),
                                                step(variables.get(0), tables.get(0))))
                                .get(1),
                        sets -> {
                            Set<List<Object>> edges = setOf(sets.get(0));
                            Set<List<Object>> pairs = compose(edges, edges);
                            return fixpoint(even -> union(pairs, compose(even, pairs)));
                        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsReachedMayExcludeWhatAnotherTableHas(long seed) {
        new Twin(seed, List.of(EDGE, List.of(NODE)))
                .size(10, 4)
                .check(
                        (builder, tables) -> builder.recursive(
                                        "open",
                                        List.of(EDGE),
                                        variables -> List.of(tables.get(0)
                                                .plus(step(variables.get(0), tables.get(0)))
                                                .join(tables.get(1), JoinKind.ANTI, List.of(1), List.of(0))))
                                .get(0),
                        sets -> {
                            Set<List<Object>> edges = setOf(sets.get(0));
                            Set<List<Object>> closed = setOf(sets.get(1));
                            return fixpoint(paths -> {
                                Set<List<Object>> next = union(edges, compose(paths, edges));
                                next.removeIf(row -> closed.contains(List.of(row.get(1))));
                                return next;
                            });
                        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void peopleOfOneGenerationHaveAnAncestorAtOneDistance(long seed) {
        checkFixpoint(
                new Twin(seed, List.of(EDGE)).size(8, 4),
                (same, down) -> {
                    Stream up = down.project(List.of(1, 0));
                    return step(up, down).plus(step(step(up, same), down));
                },
                (same, down) -> {
                    Set<List<Object>> up = new HashSet<>();
                    down.forEach(edge -> up.add(List.of(edge.get(1), edge.get(0))));
                    return union(compose(up, down), compose(compose(up, same), down));
                });
    }

    /** Distances shrink while iterations go on and grow again when an edge goes: results are taken back both ways. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theShortestDistanceIsAnAggregateInsideTheRecursion(long seed) {
        List<AggregateCall> least = List.of(
                AggregateCall.of(AggregateKind.MIN, 2, NUMBER.orNull()),
                AggregateCall.of(AggregateKind.COUNT, 2, NUMBER).ofDistinct());
        new Twin(seed, List.of(EDGE))
                .size(8, 4)
                .check(
                        (builder, tables) -> builder.recursive("distances", List.of(DISTANCE), variables -> {
                                    Stream edges = tables.get(0).distinct();
                                    Stream found = direct(edges).plus(longer(variables.get(0), edges));
                                    return List.of(found.aggregate(List.of(0, 1), least)
                                            .project(List.of(0, 1, 2)));
                                })
                                .get(0),
                        sets -> shortest(setOf(sets.get(0))));
    }

    private static Stream direct(Stream edges) {
        return edges.map(DISTANCE, (row, out) -> {
            out.copy(0, NODE.storage(), row, 0);
            out.copy(1, NODE.storage(), row, 1);
            out.setLong(2, 1);
        });
    }

    private static Stream longer(Stream known, Stream edges) {
        return known.join(edges, JoinKind.INNER, List.of(1), List.of(0)).map(DISTANCE, (row, out) -> {
            out.copy(0, NODE.storage(), row, 0);
            out.copy(1, NODE.storage(), row, 4);
            out.setLong(2, row.longAt(2) + 1);
        });
    }

    private static ModelSet shortest(Set<List<Object>> edges) {
        Map<List<Object>, Long> distances = new HashMap<>();
        Set<List<Object>> reached = edges;
        for (long length = 1; !reached.isEmpty() && length < 100; length++) {
            for (List<Object> path : reached) {
                distances.putIfAbsent(path, length);
            }
            reached = compose(reached, edges);
        }
        ModelSet set = new ModelSet();
        distances.forEach((path, distance) -> {
            List<Object> row = new ArrayList<>(path);
            row.add(distance);
            set.add(row, 1);
        });
        return set;
    }

    @Test
    void aRecursionThatDerivesWithoutEndIsStopped() {
        CircuitBuilder program = new CircuitBuilder();
        Stream one = program.constant(List.of(NUMBER), List.of(List.of(1L)));
        program.view(
                "v",
                program.recursive(
                                "endless",
                                List.of(List.of(NUMBER)),
                                variables -> List.of(one.plus(variables
                                        .get(0)
                                        .map(List.of(NUMBER), (row, out) -> out.setLong(0, row.longAt(0) + 1)))))
                        .get(0));
        try (var circuit = new dev.ratchet.circuits.circuit.Circuit(
                program.build(), dev.ratchet.circuits.circuit.CircuitOptions.inMemory(1))) {
            assertThatThrownBy(circuit::step)
                    .isInstanceOf(dev.ratchet.circuits.circuit.StepFailedException.class)
                    .hasMessageContaining("endless");
        }
    }

    @Test
    void aStreamInsideARecursionIsNotForTheOutside() {
        CircuitBuilder program = new CircuitBuilder();
        Stream edges = program.table("edges", EDGE);
        List<Stream> leaked = new ArrayList<>();
        program.recursive("paths", List.of(EDGE), variables -> {
            leaked.addAll(variables);
            return List.of(edges);
        });
        assertThatThrownBy(() -> program.view("v", leaked.get(0)))
                .hasMessageContaining("use what the recursion returns");
        assertThatThrownBy(() -> program.recursive(
                        "more",
                        List.of(EDGE),
                        variables -> List.of(variables.get(0).plus(leaked.get(0)))))
                .hasMessageContaining("a recursion can not lie in another");
    }
}
