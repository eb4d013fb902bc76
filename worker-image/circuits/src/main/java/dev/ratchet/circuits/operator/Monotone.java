/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import java.util.function.LongUnaryOperator;

/**
 * Says that one column of a result never falls while a column of the row rises, so that a watermark of the one gives a
 * watermark of the other. Both are of LONG storage.
 *
 * @param column of the result, or of the row itself where a condition says so of it
 * @param from column of the row
 * @param bound the smallest value of {@code column} where {@code from} has at least the given value
 */
public record Monotone(int column, int from, LongUnaryOperator bound) {}
