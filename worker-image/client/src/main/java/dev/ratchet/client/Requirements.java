/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a task takes from its worker while it runs. A worker runs as many tasks at once as fit into what it has; a task
 * that no worker of the cluster could ever run is refused at submit, unless it waits for capacity.
 *
 * @param cpuMillis thousandths of a processor; a worker has 1,000 for each of its threads. A task has one thread
 *     whatever it asks for, so asking for more keeps room for threads of its own
 * @param memoryBytes main memory that it may use
 * @param gpuMillis thousandths of a GPU
 * @param custom amounts of what the cluster's owner has given names to; at most 16 names of at most 63 characters
 * @param waitForCapacity whether to wait for a worker that does not exist yet
 */
public record Requirements(
        int cpuMillis, long memoryBytes, int gpuMillis, Map<String, Long> custom, boolean waitForCapacity) {

    /** Most names in {@link #custom}. */
    public static final int CUSTOM_MAX = 16;

    /** Longest name in {@link #custom}. */
    public static final int CUSTOM_NAME_LENGTH_MAX = 63;

    private static final Requirements DEFAULTS = new Requirements(1_000, 0, 0, Map.of(), false);

    /** @throws InvalidInputException if a value is outside of its limits */
    public Requirements {
        Objects.requireNonNull(custom, "custom");
        if (cpuMillis < 0 || memoryBytes < 0 || gpuMillis < 0) {
            throw new InvalidInputException("A task requires at least 0 of everything: cpuMillis=" + cpuMillis
                    + " memoryBytes=" + memoryBytes + " gpuMillis=" + gpuMillis + ".");
        }
        if (custom.size() > CUSTOM_MAX) {
            throw new InvalidInputException(
                    "A task requires at most " + CUSTOM_MAX + " custom resources, not " + custom.size() + ".");
        }
        custom.forEach((name, amount) -> {
            if (name.isEmpty() || name.length() > CUSTOM_NAME_LENGTH_MAX || amount < 0) {
                throw new InvalidInputException("A custom resource has a name of 1 to " + CUSTOM_NAME_LENGTH_MAX
                        + " characters and an amount of at least 0: '" + name + "'=" + amount + ".");
            }
        });
        custom = Map.copyOf(custom);
    }

    /** One processor, nothing else. */
    public static Requirements defaults() {
        return DEFAULTS;
    }

    /** So many processors, parts of one included. */
    public static Requirements cpus(double cpus) {
        return DEFAULTS.withCpus(cpus);
    }

    /**
     * Requires so many processors, rounded to thousandths.
     *
     * @throws InvalidInputException unless 0 to 1,000,000
     */
    public Requirements withCpus(double cpus) {
        return new Requirements(millis("cpus", cpus), memoryBytes, gpuMillis, custom, waitForCapacity);
    }

    /**
     * Requires so many bytes of main memory; 0 = none.
     *
     * @throws InvalidInputException if negative
     */
    public Requirements withMemoryBytes(long bytes) {
        return new Requirements(cpuMillis, bytes, gpuMillis, custom, waitForCapacity);
    }

    /**
     * Requires so many GPUs, rounded to thousandths.
     *
     * @throws InvalidInputException unless 0 to 1,000,000
     */
    public Requirements withGpus(double gpus) {
        return new Requirements(cpuMillis, memoryBytes, millis("gpus", gpus), custom, waitForCapacity);
    }

    /** Also requires {@code amount} of the resource {@code name}. */
    public Requirements withCustom(String name, long amount) {
        Map<String, Long> all = new TreeMap<>(custom);
        all.put(name, amount);
        return new Requirements(cpuMillis, memoryBytes, gpuMillis, all, waitForCapacity);
    }

    /** Waits for a worker that is large enough, instead of being refused where there is none. */
    public Requirements waitingForCapacity() {
        return new Requirements(cpuMillis, memoryBytes, gpuMillis, custom, true);
    }

    private static int millis(String what, double amount) {
        if (!(amount >= 0 && amount <= 1_000_000)) {
            throw new InvalidInputException("A task requires 0 to 1,000,000 " + what + ", not " + amount + ".");
        }
        return (int) Math.round(amount * 1_000);
    }
}
