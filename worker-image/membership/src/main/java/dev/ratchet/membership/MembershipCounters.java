/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.concurrent.atomic.LongAdder;

/** What membership has done in this process since it started; its metrics publish it. */
public final class MembershipCounters {

    public final LongAdder beats = new LongAdder();
    public final LongAdder failedBeats = new LongAdder();
    /** From the start of heartbeats to their success, in microseconds. */
    public final LongAdder beatMicros = new LongAdder();
    /** Transactions that were refused because the seat was lost. */
    public final LongAdder refusedFences = new LongAdder();
    /** Transactions that were refused because the recorded state permits no new work. */
    public final LongAdder refusedWork = new LongAdder();

    public final LongAdder commands = new LongAdder();
    /** Commands and announced terms of former coordinators, and commands that a newer one had overtaken. */
    public final LongAdder refusedCommands = new LongAdder();

    public final LongAdder deaths = new LongAdder();
    public final LongAdder probes = new LongAdder();
    public final LongAdder terms = new LongAdder();
}
