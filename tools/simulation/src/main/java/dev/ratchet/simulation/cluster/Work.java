/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.coordinator.Duty;
import io.grpc.BindableService;
import java.util.List;

/** What a simulated worker does, as membership sees it and as others call it. */
public interface Work extends Holdings {

    /** To be served at the worker's address. */
    default List<BindableService> services() {
        return List.of();
    }

    /** What the process does while it is the coordinator. */
    default List<Duty> duties() {
        return List.of();
    }

    /** Whether the process goes on trying after it has lost its seat, to see that nothing it does counts. */
    default boolean outlivesSeat() {
        return false;
    }

    /** The disk changes a byte of each object. */
    default void damageObjects() {}

    /** The process has taken its seat. */
    default void joined() {}

    /** The term that the process holds has changed; 0 where it holds none. */
    default void elected(long term) {}

    /** The process is dead: lets go of what outlives it here. */
    default void ended() {}
}
