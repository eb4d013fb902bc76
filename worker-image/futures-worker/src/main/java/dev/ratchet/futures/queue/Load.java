/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sum of what several tasks take, kept up to date as they come and go, so that what is left costs the same however
 * many there are. Used by one thread at a time.
 */
public final class Load {

    private final Map<String, Long> custom = new TreeMap<>();
    private long cpuMillis;
    private long memoryBytes;
    private long gpuMillis;

    /** Adds what one task takes. */
    public void add(Requirements taken) {
        change(taken, 1);
    }

    /** Takes away what {@link #add} has added. */
    public void remove(Requirements taken) {
        change(taken, -1);
    }

    private void change(Requirements taken, int sign) {
        cpuMillis += (long) sign * taken.getCpuMillis();
        memoryBytes += sign * taken.getMemoryBytes();
        gpuMillis += (long) sign * taken.getGpuMillis();
        taken.getCustomMap().forEach((name, amount) -> custom.merge(name, sign * amount, Long::sum));
        custom.values().removeIf(sum -> sum == 0);
        assert cpuMillis >= 0
                        && memoryBytes >= 0
                        && gpuMillis >= 0
                        && custom.values().stream().allMatch(sum -> sum > 0)
                : "more is taken away than was added: " + taken;
    }

    /** What is left of {@code total}; nothing where more is taken than there is. */
    public Capacity leftOf(Capacity total) {
        Map<String, Long> left = new TreeMap<>();
        total.custom().forEach((name, amount) -> {
            long rest = amount - custom.getOrDefault(name, 0L);
            if (rest > 0) {
                left.put(name, rest);
            }
        });
        return new Capacity(
                Math.max(0, total.cpuMillis() - cpuMillis),
                Math.max(0, total.memoryBytes() - memoryBytes),
                Math.max(0, total.gpuMillis() - gpuMillis),
                left);
    }
}
