/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

/** How rows of a group are numbered in their order. */
public enum RankKind {
    /** 1, 2, 3 …, rows that are equal in the order columns too. */
    ROW_NUMBER,
    /** Rows that are equal in the order columns share the number of the first. */
    RANK,
    /** As RANK, without gaps. */
    DENSE_RANK
}
