/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A job of slow squares that goes on while a test does something to the cluster; every result is checked. */
final class Job {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Ratchet ratchet;
    private final String name;
    private final List<DurableFuture<Long>> futures;

    private Job(Ratchet ratchet, String name, List<DurableFuture<Long>> futures) {
        this.ratchet = ratchet;
        this.name = name;
        this.futures = futures;
    }

    static Job start(Ratchet ratchet, String name, int tasks, long millis) {
        List<Integer> numbers = IntStream.range(0, tasks).boxed().toList();
        return new Job(ratchet, name, ratchet.map(SubmitOptions.ofJob(name), numbers, Tasks.slowSquare(millis)));
    }

    /** Whether some results are there and some are not. */
    boolean isHalfway() {
        long done = futures.stream().filter(DurableFuture::isDone).count();
        return done > 0 && done < futures.size();
    }

    boolean isDone() {
        return futures.stream().allMatch(DurableFuture::isDone);
    }

    /** Waits for the end and checks every value. */
    JobSummary finish() throws InterruptedException {
        List<Long> values = ratchet.awaitAll(futures, PATIENCE);
        for (int i = 0; i < values.size(); i++) {
            assertThat(values.get(i)).isEqualTo((long) i * i);
        }
        return ratchet.summary(name);
    }
}
