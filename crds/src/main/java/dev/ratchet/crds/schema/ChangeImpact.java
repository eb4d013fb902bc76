/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

/** What changing a field of a spec costs the cluster that runs. */
public enum ChangeImpact {
    /** Processes are replaced, one by one or as the upgrade strategy says. */
    UPGRADE,
    /** Work and state move between workers; no process is replaced that stays. */
    LAYOUT,
    /** Nothing is restarted or moved. */
    LIVE,
    /** This release can not carry it out: its operator refuses another value. */
    REFUSED,
    /**
     * It can not be changed: the API server refuses it, and so does the operator where the API server is too old to.
     */
    IMMUTABLE
}
