/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.record;

import dev.ratchet.protocol.membership.v1.DrainingRecord;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which seats must not take new work: those that the operator named, and those that the layout in force lacks; and
 * which incarnations are to park. Before the first layout every seat works. Pure.
 */
public final class DrainOrders {

    private static final long DEFAULT_TIMEOUT_MILLIS = 60_000;

    private final Set<String> named;
    private final Set<String> layout;
    private final Map<String, Long> parking;
    private final boolean layoutInForce;
    private final long timeoutMillis;

    DrainOrders(LayoutRecord layout, DrainingRecord draining) {
        this.named = new HashSet<>(draining.getSeatsList());
        this.layout = new HashSet<>(layout.getSeatsList());
        this.parking = Map.copyOf(draining.getParkingMap());
        this.layoutInForce = layout.getEpoch() > 0;
        this.timeoutMillis =
                draining.getDrainTimeoutMillis() > 0 ? draining.getDrainTimeoutMillis() : DEFAULT_TIMEOUT_MILLIS;
    }

    /** Whether the seat must not take new work. */
    public boolean mustDrain(String seat) {
        return isNamed(seat) || (layoutInForce && !layout.contains(seat));
    }

    /** Whether the operator named it, whatever the layout says. */
    public boolean isNamed(String seat) {
        return named.contains(seat);
    }

    /** The incarnation of the seat that is to park, and whose files its next process is to find; 0: none. */
    public long parkIncarnation(String seat) {
        return parking.getOrDefault(seat, 0L);
    }

    /** How long running work may take to finish before it is given back. */
    public long timeoutMillis() {
        return timeoutMillis;
    }
}
