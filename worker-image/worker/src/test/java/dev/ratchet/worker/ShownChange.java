/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.ViewChange;

/** Shows what it is given, as a user's program would: it needs nothing but the client API. */
final class ShownChange implements SerializableFunction<ViewChange, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String apply(ViewChange change) {
        return change.step() + " " + change.row().asMap() + " " + change.ordinal() + " " + change.weight();
    }
}
