/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import dev.ratchet.membership.Member;
import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.Map;
import java.util.TreeMap;

/**
 * Amounts of what tasks take: what a worker has, or what is left of it. Immutable; never negative.
 *
 * @param custom amounts by name; what is not named is 0
 */
public record Capacity(long cpuMillis, long memoryBytes, long gpuMillis, Map<String, Long> custom) {

    /** Labels of a member that say how much it has, for other workers to read. */
    private static final String MEMORY_LABEL = "memoryBytes";

    private static final String GPU_LABEL = "gpuMillis";
    private static final String CUSTOM_LABEL = "custom/";

    private static final long CPU_MILLIS_PER_THREAD = 1_000;

    public Capacity {
        custom = Map.copyOf(custom);
    }

    /** What {@code threads} give, without memory, GPUs or anything custom. */
    public static Capacity ofThreads(int threads) {
        return new Capacity(threads * CPU_MILLIS_PER_THREAD, 0, 0, Map.of());
    }

    /** What a member has said of itself when it took its seat. */
    public static Capacity of(Member member) {
        Map<String, Long> custom = new TreeMap<>();
        member.labels().forEach((label, value) -> {
            if (label.startsWith(CUSTOM_LABEL)) {
                custom.put(label.substring(CUSTOM_LABEL.length()), Long.parseLong(value));
            }
        });
        return new Capacity(
                member.threads() * CPU_MILLIS_PER_THREAD,
                Long.parseLong(member.labels().getOrDefault(MEMORY_LABEL, "0")),
                Long.parseLong(member.labels().getOrDefault(GPU_LABEL, "0")),
                custom);
    }

    /** What an idle worker has declared. */
    public static Capacity of(Requirements declared) {
        return new Capacity(
                declared.getCpuMillis(), declared.getMemoryBytes(), declared.getGpuMillis(), declared.getCustomMap());
    }

    /** What {@link #of(Member)} reads, for the description of a worker; its processors follow from its threads. */
    public Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        labels.put(MEMORY_LABEL, Long.toString(memoryBytes));
        labels.put(GPU_LABEL, Long.toString(gpuMillis));
        custom.forEach((name, amount) -> labels.put(CUSTOM_LABEL + name, Long.toString(amount)));
        return labels;
    }

    /** What {@link #of(Requirements)} reads. */
    public Requirements declared() {
        return Requirements.newBuilder()
                .setCpuMillis((int) Math.min(Integer.MAX_VALUE, cpuMillis))
                .setMemoryBytes(memoryBytes)
                .setGpuMillis((int) Math.min(Integer.MAX_VALUE, gpuMillis))
                .putAllCustom(custom)
                .build();
    }

    /** Whether there is enough for one task with these requirements. */
    public boolean fits(Requirements required) {
        return required.getCpuMillis() <= cpuMillis
                && required.getMemoryBytes() <= memoryBytes
                && required.getGpuMillis() <= gpuMillis
                && required.getCustomMap().entrySet().stream()
                        .allMatch(one -> one.getValue() <= custom.getOrDefault(one.getKey(), 0L));
    }

    /** What is left when a task with these requirements runs; nothing where it takes more than there is. */
    public Capacity minus(Requirements taken) {
        Map<String, Long> left = new TreeMap<>(custom);
        taken.getCustomMap().forEach((name, amount) -> left.merge(name, -amount, (a, b) -> Math.max(0, a + b)));
        left.values().removeIf(amount -> amount <= 0);
        return new Capacity(
                Math.max(0, cpuMillis - taken.getCpuMillis()),
                Math.max(0, memoryBytes - taken.getMemoryBytes()),
                Math.max(0, gpuMillis - taken.getGpuMillis()),
                left);
    }
}
