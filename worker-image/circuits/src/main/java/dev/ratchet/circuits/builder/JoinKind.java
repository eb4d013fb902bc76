/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

/** Which rows a join gives. */
public enum JoinKind {
    INNER,
    /** Also left rows without a partner, with NULL on the right. */
    LEFT,
    /** Also right rows without a partner, with NULL on the left. */
    RIGHT,
    /** Also rows of both sides without a partner. */
    FULL,
    /** Left rows with a partner, once each. */
    SEMI,
    /** Left rows without a partner. */
    ANTI;

    boolean keepsLeft() {
        return this == LEFT || this == FULL;
    }

    boolean keepsRight() {
        return this == RIGHT || this == FULL;
    }
}
