/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import java.util.concurrent.atomic.LongAdder;

/** What this worker has done with objects since it started; read at any time by whoever publishes metrics. */
public final class ObjectCounters {

    /** Bytes that became objects here, copies included. */
    public final LongAdder writtenBytes = new LongAdder();
    /** Bytes read from the own store by tasks of this worker. */
    public final LongAdder readBytes = new LongAdder();
    /** Bytes received from other workers. */
    public final LongAdder fetchedBytes = new LongAdder();
    /** Bytes that other workers were given. */
    public final LongAdder servedBytes = new LongAdder();
    /** Objects of this worker that another one was given a second copy of, because their loss would cost more. */
    public final LongAdder secondCopies = new LongAdder();
    /** Their bytes. */
    public final LongAdder secondCopyBytes = new LongAdder();
    /** Objects deleted, because nobody needs them or because they are held elsewhere. */
    public final LongAdder deleted = new LongAdder();
    /** Copies that a record named and their holder did not have. */
    public final LongAdder missing = new LongAdder();
    /** Reads of objects of the own store that failed though the object is there. */
    public final LongAdder unreadable = new LongAdder();
    /** Objects refused for lack of room. */
    public final LongAdder refused = new LongAdder();
}
