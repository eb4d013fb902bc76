/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

/**
 * Says of every row that a filter lets through that the number in one column is at most that in another, and neither is
 * NULL. Both are of LONG storage.
 */
public record AtMost(int column, int other) {}
