/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells in the log what strangers can cause as often as they like: at most {@value #LINES_PER_PERIOD} lines in each
 * period of 10 s. The others are counted, and the next line that is told says how many there were, so that a flood
 * neither fills a disk nor goes unnoticed. Safe for use by several threads.
 */
public final class BoundedLog {

    static final int LINES_PER_PERIOD = 20;
    static final long PERIOD_NANOS = 10_000_000_000L;

    private final Logger log;
    private final LongSupplier nanoTime;
    private long periodBegan;
    private int told;
    private long untold;

    /** @param log gets the lines */
    public BoundedLog(Logger log) {
        this(log, System::nanoTime);
    }

    BoundedLog(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
        this.periodBegan = nanoTime.getAsLong();
    }

    /** As {@link Logger#warn(String, Object...)}. */
    public void warn(String format, @Nullable Object... values) {
        if (isTold()) {
            log.warn(format, values);
        }
    }

    /** As {@link Logger#info(String, Object...)}. */
    public void info(String format, @Nullable Object... values) {
        if (isTold()) {
            log.info(format, values);
        }
    }

    private boolean isTold() {
        long before;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (now - periodBegan >= PERIOD_NANOS) {
                periodBegan = now;
                told = 0;
            }
            if (told == LINES_PER_PERIOD) {
                untold++;
                return false;
            }
            told++;
            before = untold;
            untold = 0;
        }
        if (before > 0) {
            log.warn("Not told here, because there were too many at once: {} lines such as the next one", before);
        }
        return true;
    }
}
