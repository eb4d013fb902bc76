/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.ShareFeed;
import java.util.List;

/** Where the shares of views are. Safe for use by several threads. */
public interface CircuitShares {

    /** The shares of all processes of the circuit, in the order of these; empty while they are not known. */
    List<ShareFeed> feeds();

    /**
     * The life of the circuit that has these shares: in another one steps of the same numbers change something else.
     * {@link ShareFeed#ANY_LIFE} while it is not known.
     */
    long life();

    /**
     * Runs something on each change of {@link #feeds} until closed.
     *
     * @param changed may be run on any thread, and must not block
     */
    ShareFeed.Subscription onChange(Runnable changed);

    /**
     * The columns of a view.
     *
     * @throws IllegalArgumentException where there is no such view; names those that are there
     */
    RowSchema schema(String view);
}
