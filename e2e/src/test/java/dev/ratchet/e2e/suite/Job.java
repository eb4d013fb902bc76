/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;

/**
 * A job of slow squares that goes on, however long it takes, until the test has done to the cluster what it wanted;
 * every result is checked. Wave after wave is submitted while the one before still runs, so workers are never idle.
 */
final class Job {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int WAVE = 100;
    private static final long TASK_MILLIS = 20;

    private final Ratchet ratchet;
    private final String name;
    private final List<DurableFuture<Long>> futures = new ArrayList<>();
    private final FutureTask<Integer> feeder = new FutureTask<>(this::feed);
    private volatile boolean ending;

    private Job(Ratchet ratchet, String name) {
        this.ratchet = ratchet;
        this.name = name;
    }

    static Job start(Ratchet ratchet, String name) {
        Job job = new Job(ratchet, name);
        Thread.startVirtualThread(job.feeder);
        return job;
    }

    private int feed() throws InterruptedException {
        List<DurableFuture<Long>> before = List.of();
        while (!ending) {
            List<Integer> numbers = IntStream.range(futures.size(), futures.size() + WAVE)
                    .boxed()
                    .toList();
            List<DurableFuture<Long>> wave =
                    ratchet.map(SubmitOptions.ofJob(name), numbers, Tasks.slowSquare(TASK_MILLIS));
            futures.addAll(wave);
            ratchet.awaitAll(before, TIMEOUT);
            before = wave;
        }
        return futures.size();
    }

    /** How many results the worker of a seat has given. */
    long realizedBy(String seat) {
        return ratchet.summary(name).realizedBySeat().getOrDefault(seat, 0L);
    }

    /** Submits no more, waits for the end and checks every value. */
    JobSummary finish() throws InterruptedException {
        ending = true;
        try {
            assertThat(feeder.get()).isPositive();
        } catch (ExecutionException e) {
            throw new AssertionError("a wave of the job " + name + " has failed", e.getCause());
        }
        List<Long> values = ratchet.awaitAll(futures, TIMEOUT);
        for (int i = 0; i < values.size(); i++) {
            assertThat(values.get(i)).isEqualTo((long) i * i);
        }
        return ratchet.summary(name);
    }
}
