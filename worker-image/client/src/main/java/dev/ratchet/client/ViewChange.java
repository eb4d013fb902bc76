/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;

/**
 * A row that came into a view in a step, or left it: what one task of a feed is about. A row that a step adds or takes
 * away n times is n changes, with ordinals from 0 on. A row that becomes another one is a change with −1 and one with
 * 1.
 *
 * @param view by its name
 * @param step that changed it
 * @param row that came or left
 * @param ordinal of the change among those of this row in this step
 * @param weight 1 for a row that came, −1 for one that left
 */
public record ViewChange(String view, long step, ViewRow row, int ordinal, int weight) implements Serializable {

    /** Whether the row came. */
    public boolean isAdded() {
        return weight > 0;
    }
}
