/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

/** The bounded table that q13 joins bids with: (id, label) for ids from 0. */
public final class SideInput {

    /** How many rows it has. */
    public static final int ROWS = 10_000;

    private SideInput() {}

    /** The label of an id. */
    public static String label(long id) {
        return "label " + id;
    }
}
