/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowView;

/**
 * Decides about a row from its columns alone; called from the thread that walks or merges, and never keeps the view.
 */
@FunctionalInterface
public interface RowPredicate {

    boolean test(RowView row);
}
