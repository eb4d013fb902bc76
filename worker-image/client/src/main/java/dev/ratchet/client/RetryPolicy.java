/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * When a failed attempt is tried again. An attempt counts when a worker claims the task, also if that worker dies; it
 * is given back when the worker drains. After OutOfMemoryError and after the loss of its worker a task is tried on
 * another worker, if there is one.
 *
 * @param maxRetries attempts allowed beyond the first, 0 to 1000
 * @param firstDelay before the first retry; each further delay is {@code multiplier} times as long
 * @param multiplier 1 to 100
 * @param maxDelay the longest delay
 * @param retryOn class names of what is tried again, superclasses included; empty = everything but {@code failOn}
 * @param failOn class names of what is final at once, superclasses included
 * @param memoryFactor what the required memory is multiplied by after OutOfMemoryError and after the loss of the
 *     worker, which ends when its memory is used up, 1 to 16
 */
public record RetryPolicy(
        int maxRetries,
        Duration firstDelay,
        double multiplier,
        Duration maxDelay,
        List<String> retryOn,
        List<String> failOn,
        double memoryFactor) {

    /** Most retries. */
    public static final int RETRIES_MAX = 1000;

    /** Most class names in each list. */
    public static final int TYPES_MAX = 32;

    /** Longest delay before a retry. */
    public static final Duration DELAY_MAX = Duration.ofDays(3_650);

    private static final RetryPolicy DEFAULTS =
            new RetryPolicy(3, Duration.ZERO, 2, Duration.ofMinutes(1), List.of(), List.of(), 1);

    /** @throws InvalidInputException if a value is outside of its limits */
    public RetryPolicy {
        Objects.requireNonNull(firstDelay, "firstDelay");
        Objects.requireNonNull(maxDelay, "maxDelay");
        retryOn = List.copyOf(retryOn);
        failOn = List.copyOf(failOn);
        require(maxRetries >= 0 && maxRetries <= RETRIES_MAX, "maxRetries must be 0 to " + RETRIES_MAX, maxRetries);
        require(!firstDelay.isNegative(), "firstDelay must not be negative", firstDelay);
        require(
                !maxDelay.isNegative() && maxDelay.compareTo(DELAY_MAX) <= 0,
                "maxDelay must be 0 to 3,650 days",
                maxDelay);
        require(multiplier >= 1 && multiplier <= 100, "multiplier must be 1 to 100", multiplier);
        require(memoryFactor >= 1 && memoryFactor <= 16, "memoryFactor must be 1 to 16", memoryFactor);
        require(retryOn.size() <= TYPES_MAX, "retryOn has at most " + TYPES_MAX + " names", retryOn.size());
        require(failOn.size() <= TYPES_MAX, "failOn has at most " + TYPES_MAX + " names", failOn.size());
    }

    /** Three retries without delay, whatever the failure. */
    public static RetryPolicy defaults() {
        return DEFAULTS;
    }

    /** No second attempt. */
    public static RetryPolicy never() {
        return DEFAULTS.withMaxRetries(0);
    }

    /**
     * Tries again at most so often: a future has one attempt more.
     *
     * @throws InvalidInputException unless 0 to {@link #RETRIES_MAX}
     */
    public RetryPolicy withMaxRetries(int retries) {
        return new RetryPolicy(retries, firstDelay, multiplier, maxDelay, retryOn, failOn, memoryFactor);
    }

    /** Waits before each retry: at first {@code first}, then {@code factor} times longer each time, up to a limit. */
    public RetryPolicy withBackOff(Duration first, double factor, Duration longest) {
        return new RetryPolicy(maxRetries, first, factor, longest, retryOn, failOn, memoryFactor);
    }

    /** Tries again after this type of failure and others named so, and after no other. */
    public RetryPolicy retryingOn(Class<? extends Throwable> type) {
        return new RetryPolicy(maxRetries, firstDelay, multiplier, maxDelay, and(retryOn, type), failOn, memoryFactor);
    }

    /** Takes this type of failure as final. */
    public RetryPolicy failingOn(Class<? extends Throwable> type) {
        return new RetryPolicy(maxRetries, firstDelay, multiplier, maxDelay, retryOn, and(failOn, type), memoryFactor);
    }

    /** Requires so many times the memory after each OutOfMemoryError and each loss of the worker. */
    public RetryPolicy withMemoryFactor(double factor) {
        return new RetryPolicy(maxRetries, firstDelay, multiplier, maxDelay, retryOn, failOn, factor);
    }

    private static List<String> and(List<String> types, Class<?> type) {
        List<String> all = new ArrayList<>(types);
        all.add(type.getName());
        return all;
    }

    private static void require(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new InvalidInputException("Not a usable retry policy: " + rule + ", and is " + value + ".");
        }
    }
}
