/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Objects;

/**
 * How a task is to be treated.
 *
 * @param name for people, in listings and logs; at most 200 characters
 * @param job groups futures for listings and summaries; at most 200 characters
 * @param maxRetries attempts allowed beyond the first, 0 to 1000; an attempt counts when a worker claims the task, and
 *     is given back when that worker drains
 */
public record SubmitOptions(String name, String job, int maxRetries) {

    /** Longest name and job. */
    public static final int NAME_LENGTH_MAX = 200;

    /** Most retries. */
    public static final int RETRIES_MAX = 1000;

    private static final SubmitOptions DEFAULTS = new SubmitOptions("", "default", 3);

    /** @throws InvalidInputException if a value is outside of its limits */
    public SubmitOptions {
        requireName("name", name);
        requireName("job", job);
        if (job.isEmpty()) {
            throw new InvalidInputException("The job of a future must have a name.");
        }
        if (maxRetries < 0 || maxRetries > RETRIES_MAX) {
            throw new InvalidInputException("maxRetries must be 0 to " + RETRIES_MAX + ", and is " + maxRetries + ".");
        }
    }

    /** No name, job {@code default}, three retries. */
    public static SubmitOptions defaults() {
        return DEFAULTS;
    }

    /** Defaults in the given job. */
    public static SubmitOptions ofJob(String job) {
        return DEFAULTS.withJob(job);
    }

    public SubmitOptions withName(String newName) {
        return new SubmitOptions(newName, job, maxRetries);
    }

    public SubmitOptions withJob(String newJob) {
        return new SubmitOptions(name, newJob, maxRetries);
    }

    public SubmitOptions withMaxRetries(int newMaxRetries) {
        return new SubmitOptions(name, job, newMaxRetries);
    }

    private static void requireName(String field, String value) {
        Objects.requireNonNull(value, field);
        if (value.length() > NAME_LENGTH_MAX || value.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidInputException("The " + field + " of a future has at most " + NAME_LENGTH_MAX
                    + " characters and no control characters: '" + value + "'.");
        }
    }
}
