/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import java.util.concurrent.atomic.LongAdder;

/** What this worker has done since it started; read at any time by whoever publishes metrics. */
public final class WorkCounters {

    public final LongAdder claimTransactions = new LongAdder();
    /** Time that they have taken, in microseconds. */
    public final LongAdder claimMicros = new LongAdder();
    /** Outcomes that were not recorded because the claim was not in force any more. */
    public final LongAdder refused = new LongAdder();
    /** Values that clients were told before they were recorded. */
    public final LongAdder toldEarly = new LongAdder();
    /** Those of them whose run this worker could not record. */
    public final LongAdder toldInVain = new LongAdder();
    /** Time that users' code has run, in microseconds. */
    public final LongAdder runMicros = new LongAdder();
}
