/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import java.util.List;

/**
 * Rows of a circuit as they are after one step.
 *
 * @param step after which they are
 * @param position which input they stand for: all requests whose position is not above it, as text; empty where the
 *     cluster does not know it any more
 * @param rows in the order of their columns
 */
public record ViewSnapshot(long step, String position, List<ViewRow> rows) implements Serializable {

    public ViewSnapshot {
        rows = List.copyOf(rows);
    }

    /**
     * All rows as records, see {@link ViewRow#as}.
     *
     * @throws InvalidInputException if a row does not fit
     */
    public <R extends Record> List<R> as(Class<R> type) {
        return rows.stream().map(row -> row.as(type)).toList();
    }
}
