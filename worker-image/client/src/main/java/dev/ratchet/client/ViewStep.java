/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import java.util.List;

/**
 * What a view is told to be up to one step: all that has changed since the step that was told before.
 *
 * @param view by its name
 * @param step up to which it is; to resume behind
 * @param position which input the step stands for: all requests whose {@link InputReceipt#position} is not above it, as
 *     text; empty where the cluster does not know it any more
 * @param isSnapshot whether the changes are all rows of the view, whatever was told before
 * @param changes rows that came and left, in the order of their columns; none where only other views have changed
 */
public record ViewStep(String view, long step, String position, boolean isSnapshot, List<ViewChange> changes)
        implements Serializable {

    public ViewStep {
        changes = List.copyOf(changes);
    }
}
