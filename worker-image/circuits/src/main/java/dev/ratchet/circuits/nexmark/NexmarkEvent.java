/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.nexmark;

import java.util.List;

/**
 * One row that comes in.
 *
 * @param number its place in the sequence of all events, from 0
 * @param values one for each column: a {@link Long} for numbers and times, a {@link String} for texts
 */
public record NexmarkEvent(long number, NexmarkTable table, List<Object> values) {

    /** A row with its values in the order of the columns. */
    static NexmarkEvent of(long number, NexmarkTable table, Object... values) {
        return new NexmarkEvent(number, table, List.of(values));
    }
}
