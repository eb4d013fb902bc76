/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import java.util.concurrent.atomic.AtomicLong;

/** Another environment whose clocks a test moves on. */
public record ShiftedEnvironment(Environment real, AtomicLong passedMillis, AtomicLong aheadMillis)
        implements ForwardingEnvironment {

    public ShiftedEnvironment(Environment real) {
        this(real, new AtomicLong(), new AtomicLong());
    }

    public void pass(long millis) {
        passedMillis.addAndGet(millis);
    }

    /** Sets the wall clock, and no other. */
    public void setWallClockAhead(long millis) {
        aheadMillis.set(millis);
    }

    @Override
    public long nanoTime() {
        return real.nanoTime() + 1_000_000 * passedMillis.get();
    }

    @Override
    public long wallClockMillis() {
        return real.wallClockMillis() + passedMillis.get() + aheadMillis.get();
    }
}
