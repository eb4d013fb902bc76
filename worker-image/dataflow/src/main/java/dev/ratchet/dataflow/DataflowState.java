/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/** What the circuit of a cluster does. */
public enum DataflowState {
    /** No program is given. */
    ABSENT,
    /** The program can not be run as it is; the message says why and what to do. */
    PROGRAM_INVALID,
    /** A worker of the circuit is not there; outputs are held. */
    WAITING_FOR_WORKER,
    /** State is opened and steps since the last checkpoint are taken again. */
    RECOVERING,
    /** Steps are taken. */
    RUNNING,
    /** The settings say that no steps be taken. */
    SUSPENDED,
    /** No version of the state is there on all workers; a person must decide. */
    STATE_LOST,
    /** A step can not be taken; the message names it and why. Goes on only when a person decides. */
    STOPPED
}
