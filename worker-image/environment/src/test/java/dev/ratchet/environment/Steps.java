/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

import java.util.Set;
import java.util.TreeSet;

/** What a table allows, as tests write it down a second time: {@code "FROM EVENT TO"} of each step there is. */
public final class Steps {

    private Steps() {}

    public static <S extends Enum<S>, E extends Enum<E>> Set<String> of(
            TransitionTable<S, E> table, Class<S> states, Class<E> events) {
        Set<String> steps = new TreeSet<>();
        for (S from : states.getEnumConstants()) {
            for (E event : events.getEnumConstants()) {
                S to = table.next(from, event);
                if (to != null) {
                    steps.add(from + " " + event + " " + to);
                }
            }
        }
        return steps;
    }
}
