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
    /** The bits that all have. */
    BIT_AND,
    /** The bits that one has. */
    BIT_OR,
    /** The bits that an odd number has. */
    BIT_XOR,
    COVAR_POP,
    COVAR_SAMP,
    CORR,
    /** Of pairs of y, the argument, and x, the second one: how many have both, the regressions of the standard. */
    REGR_COUNT,
    REGR_AVGX,
    REGR_AVGY,
    REGR_SXX,
    REGR_SYY,
    REGR_SXY,
    REGR_SLOPE,
    REGR_INTERCEPT,
    REGR_R2,
    MIN,
    MAX,
    /** The argument, NULL or not, of the first row in the order asked for that has its first column. */
    FIRST,
    /** The value that is there most often; of several the smallest. */
    MODE,
    /** The value that lies behind a share of all, between two of them in proportion. */
    PERCENTILE_CONT,
    /** The first value up to which a share of all lie. */
    PERCENTILE_DISC,
    /** The only value; an error where a group has two. */
    SINGLE_VALUE,
    /** The values as an array, NULL among them, in the order asked for and then in their own. */
    ARRAY_AGG,
    /** The texts one behind the other with a separator between, in the order asked for and then in their own. */
    LISTAGG;

    /** Whether the result follows from sums over the rows, so that a change needs no look at the rest of the group. */
    public boolean isLinear() {
        return switch (this) {
            case MIN, MAX, FIRST, MODE, PERCENTILE_CONT, PERCENTILE_DISC, SINGLE_VALUE, ARRAY_AGG, LISTAGG -> false;
            default -> true;
        };
    }

    /** Whether it is of pairs: its argument and a second one. */
    public boolean isOfPairs() {
        return compareTo(COVAR_POP) >= 0 && compareTo(REGR_R2) <= 0;
    }

    /** Whether it can be computed over frames of a window. */
    public boolean isFramed() {
        return isLinear() || this == MIN || this == MAX || this == ARRAY_AGG || this == LISTAGG;
    }
}
