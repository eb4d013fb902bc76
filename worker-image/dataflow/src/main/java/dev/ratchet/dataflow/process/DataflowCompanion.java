/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.process;

import dev.ratchet.dataflow.follow.Orders;

/** Works beside the circuit in the same process. Safe for use by several threads; calls must not block. */
public interface DataflowCompanion {

    /** The coordinator has ordered something. */
    void ordered(Orders orders);

    /** What keeps it from its work, for people; empty for nothing. */
    String trouble();
}
