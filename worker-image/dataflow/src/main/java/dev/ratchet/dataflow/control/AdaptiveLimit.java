/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import java.util.Collection;
import java.util.function.ToLongFunction;

/**
 * How much of one measure of input, lines or bytes, a step may have so that it takes no longer than it should on the
 * slowest worker. It follows the steps that are told, and at most doubles each time. One thread.
 */
final class AdaptiveLimit {

    private final ToLongFunction<ProgressRecord> measure;
    private final long min;
    private final long max;
    private long limit;

    /**
     * A limit that begins with {@code first}.
     *
     * @param measure of the last step of a worker
     * @param min also of steps that say something: smaller ones take their time whatever is in them
     */
    AdaptiveLimit(ToLongFunction<ProgressRecord> measure, long first, long min, long max) {
        this.measure = measure;
        this.min = min;
        this.max = max;
        this.limit = first;
    }

    long limit() {
        return limit;
    }

    /**
     * Follows the last steps of workers.
     *
     * @param stepMillis how long a step should take at most
     */
    void follow(Collection<ProgressRecord> progress, long stepMillis) {
        progress.stream()
                .filter(step -> measure.applyAsLong(step) >= min)
                .mapToLong(step -> measure.applyAsLong(step) * stepMillis / Math.max(1, step.getStepMillis()))
                .min()
                .ifPresent(fit -> limit = Math.clamp(Math.min(fit, 2 * limit), min, max));
    }
}
