/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class BoundedLogTest {

    private final AtomicLong nanos = new AtomicLong();
    private final BoundedLog log = new BoundedLog(LoggerFactory.getLogger("bounded-log-test"), nanos::get);

    @Test
    void aFloodIsToldInAFewLinesAndItsSizeInTheNextPeriod() {
        try (LogLines lines = new LogLines("bounded-log-test")) {
            for (int i = 0; i < 150_000; i++) {
                log.warn("refused: call={}", i);
            }
            assertThat(lines.with("")).hasSize(BoundedLog.LINES_PER_PERIOD);

            nanos.addAndGet(BoundedLog.PERIOD_NANOS);
            log.warn("refused: call={}", "later");

            assertThat(lines.with("there were too many at once"))
                    .singleElement()
                    .asString()
                    .contains(Integer.toString(150_000 - BoundedLog.LINES_PER_PERIOD));
            assertThat(lines.with("call=later")).hasSize(1);
        }
    }
}
