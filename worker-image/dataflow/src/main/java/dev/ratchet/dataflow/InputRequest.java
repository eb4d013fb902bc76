/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import java.util.List;

/**
 * Rows that a producer sends at once: all of them are in one step, whatever tables they are for.
 *
 * @param producer who sends; names are chosen by producers. Empty: no repetition is recognised.
 * @param sequence grows with each request of a producer; one that is not above the last is a repetition
 */
public record InputRequest(String producer, long sequence, List<TableRows> tables) {

    public InputRequest {
        tables = List.copyOf(tables);
    }
}
