/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds;

/** Types of conditions of the three resources. The names are public contract: people wait for them. */
public final class ConditionType {
    /** Cluster: the newest spec can be worked with; while False the last accepted one runs. */
    public static final String ACCEPTED = "Accepted";
    /** Cluster: all wanted workers take work. Worker: it takes work. */
    public static final String READY = "Ready";
    /** Cluster: something is being changed. */
    public static final String PROGRESSING = "Progressing";
    /** Cluster: it works with less than wanted, or something can not be done. */
    public static final String DEGRADED = "Degraded";
    /** Cluster: the layout in force is the wanted one. */
    public static final String LAYOUT_STABLE = "LayoutStable";
    /** Cluster: an upgrade is stopped by a gate or a person. */
    public static final String UPGRADE_BLOCKED = "UpgradeBlocked";
    /** Cluster: sessions wait for slots that no worker has; absent where none does. */
    public static final String SESSIONS_BLOCKED = "SessionsBlocked";
    /** Cluster with a circuit: it takes steps, or would if there was input. */
    public static final String CIRCUIT_RUNNING = "CircuitRunning";
    /** Cluster with a circuit: the files of a worker go with its pod. */
    public static final String STATE_NOT_DURABLE = "StateNotDurable";
    /** Cluster being deleted: something can not be cleaned up. */
    public static final String CLEANUP_BLOCKED = "CleanupBlocked";
    /** Worker: its last process holds nothing and takes nothing, which says nothing about its next one. */
    public static final String DRAINED = "Drained";
    /** Worker: it leaves, and it is proved that nothing is lost with it. */
    public static final String REMOVABLE = "Removable";
    /** Layout: the coordinator put the epoch into force. */
    public static final String COMMITTED = "Committed";
    /** Layout: nothing is left to do. */
    public static final String COMPLETE = "Complete";
    /** Layout: it was given up before it was committed. */
    public static final String ABORTED = "Aborted";

    private ConditionType() {}
}
