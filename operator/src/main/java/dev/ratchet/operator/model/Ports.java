/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

/** Owns the ports of pods: public contract. */
public final class Ports {
    /** gRPC of a worker: clients, coordinator, other workers, objects. */
    public static final int WORKER = 7400;
    /** gRPC of the embedded store. */
    public static final int STORE = 7401;
    /** HTTP of both: health and metrics. */
    public static final int HEALTH = 7402;

    /** Rows between the workers of a circuit. */
    public static final int EXCHANGE = 7403;
    /** HTTP of a circuit: tables are fed and views are read here. */
    public static final int CIRCUIT = 7404;

    private Ports() {}
}
