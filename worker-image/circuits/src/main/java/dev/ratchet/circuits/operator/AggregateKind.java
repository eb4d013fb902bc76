/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

/** The aggregates. NULL arguments are left out, but by {@link #COUNT} without argument and {@link #ARRAY_AGG}. */
public enum AggregateKind {
    /** Rows, or rows whose argument is not NULL. */
    COUNT,
    /** The exact sum, rounded once to the result type; NULL of nothing. */
    SUM,
    /** The exact mean, rounded once: integers towards zero, decimals half up, doubles to the nearest. */
    AVG,
    VAR_POP,
    VAR_SAMP,
    STDDEV_POP,
    STDDEV_SAMP,
    /** Whether all are TRUE. */
    EVERY,
    /** Whether one is TRUE. */
    SOME,
    MIN,
    MAX,
    /** The only value; an error where a group has two. */
    SINGLE_VALUE,
    /** The values as an array, NULL among them, in the order asked for and then in their own. */
    ARRAY_AGG,
    /** The texts one behind the other with a separator between, in the order asked for and then in their own. */
    LISTAGG;

    /** Whether the result follows from sums over the rows, so that a change needs no look at the rest of the group. */
    public boolean isLinear() {
        return switch (this) {
            case COUNT, SUM, AVG, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP, EVERY, SOME -> true;
            case MIN, MAX, SINGLE_VALUE, ARRAY_AGG, LISTAGG -> false;
        };
    }
}
