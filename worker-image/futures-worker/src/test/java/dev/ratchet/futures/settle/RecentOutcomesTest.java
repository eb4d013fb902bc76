/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.membership.Trial;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.Result;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentOutcomesTest {

    private final AtomicLong nanos = new AtomicLong(TimeUnit.HOURS.toNanos(5));
    private final RecentOutcomes recent = new RecentOutcomes(nanos::get);

    @Test
    void attemptsAreCountedForAMinuteByWhoseFaultTheirFailureIs() {
        recent.add(new Outcome.Realized(Result.getDefaultInstance()));
        recent.add(failed(FailureKind.FAILURE_KIND_EXCEPTION));
        recent.add(failed(FailureKind.FAILURE_KIND_RESULT));
        recent.add(failed(FailureKind.FAILURE_KIND_SESSION));
        recent.add(new Outcome.GivenBack());
        assertThat(told()).isEqualTo(counts(4, 1, 1));
        pass(30);
        recent.add(failed(FailureKind.FAILURE_KIND_TIMEOUT));
        assertThat(told()).isEqualTo(counts(5, 2, 1));
        pass(30);
        assertThat(told()).isEqualTo(counts(1, 1, 0));
        pass(3_600);
        assertThat(told()).isEqualTo(counts(0, 0, 0));
    }

    private static Outcome failed(FailureKind kind) {
        return new Outcome.Failed(Failure.newBuilder().setKind(kind).build(), false);
    }

    private static Map<String, Long> counts(long ended, long failed, long broken) {
        return Map.of(Trial.ENDED, ended, Trial.FAILED, failed, Trial.BROKEN, broken);
    }

    private Map<String, Long> told() {
        Map<String, Long> told = new HashMap<>();
        recent.tell(told);
        return told;
    }

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }
}
