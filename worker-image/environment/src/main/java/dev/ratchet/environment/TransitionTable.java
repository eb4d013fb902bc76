/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which state of a protocol follows which, on which event: nothing else decides that. An event that has no row in a
 * state has no effect there, because another one has overtaken it, or can not happen: see {@link StateMachine}.
 * Immutable.
 */
public final class TransitionTable<S extends Enum<S>, E extends Enum<E>> {

    /** One row. */
    public record Row<S, E>(S from, E event, S to) {}

    private final List<Row<S, E>> rows;
    private final Map<S, Map<E, S>> next = new HashMap<>();

    /**
     * A table of these rows.
     *
     * @throws IllegalArgumentException where two of them have the same state and event
     */
    public TransitionTable(List<Row<S, E>> rows) {
        this.rows = List.copyOf(rows);
        for (Row<S, E> row : rows) {
            S former = next.computeIfAbsent(
                            row.from(), unused -> new EnumMap<>(row.event().getDeclaringClass()))
                    .put(row.event(), row.to());
            if (former != null) {
                throw new IllegalArgumentException("Two rows for " + row.from() + " and " + row.event());
            }
        }
    }

    /** One row of a table. */
    public static <S extends Enum<S>, E extends Enum<E>> Row<S, E> row(S from, E event, S to) {
        return new Row<>(from, event, to);
    }

    /** The rows. */
    public List<Row<S, E>> rows() {
        return rows;
    }

    /** The state that follows; null where the event has no row in this one. */
    public @Nullable S next(S from, E event) {
        return next.getOrDefault(from, Map.of()).get(event);
    }

    /** A machine that follows this table. */
    public StateMachine<S, E> startingIn(S initial) {
        return new StateMachine<>(this, initial);
    }
}
