/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What a {@link Kubelet} is started with.
 *
 * @param nodes names of its Node objects, each as large as is told here
 * @param directory where the kubelet owns {@code pods} and {@code claims}
 * @param images which images there are
 * @param variables given to every container, below the pod's own
 * @param cpuMillis what pods may request in sum, in thousandths of a core
 * @param memoryBytes what pods may request in sum
 * @param restartBackOff wait before the second restart of a container; doubles up to {@code restartBackOffLimit}
 * @param restartBackOffLimit longest wait before a restart; a container that ran twice as long starts afresh
 * @param lossTolerated how long pods of a lost node stay that do not say it themselves
 */
public record KubeletOptions(
        List<String> nodes,
        Path directory,
        ImageFolders images,
        Map<String, String> variables,
        long cpuMillis,
        long memoryBytes,
        Duration restartBackOff,
        Duration restartBackOffLimit,
        Duration lossTolerated) {

    /** Pods on one node; as many as a real node takes by default. */
    static final int PODS_LIMIT = 110;

    private static final long MEMORY_IF_UNKNOWN_BYTES = 4L << 30;

    public KubeletOptions {
        directory = directory.toAbsolutePath().normalize();
        nodes = List.copyOf(nodes);
        variables = Map.copyOf(variables);
    }

    /** One node as large as this machine, with the waits of a real kubelet. */
    public static KubeletOptions of(Path directory, ImageFolders images, Map<String, String> variables) {
        return new KubeletOptions(
                List.of(hostName()),
                directory,
                images,
                variables,
                Runtime.getRuntime().availableProcessors() * 1000L,
                machineMemoryBytes(),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                Duration.ofMinutes(5));
    }

    /** That many nodes, each as large as the one. */
    public KubeletOptions withNodes(int count) {
        List<String> names = IntStream.rangeClosed(1, count)
                .mapToObj(number -> number == 1 ? nodes.get(0) : nodes.get(0) + "-" + number)
                .toList();
        return new KubeletOptions(
                names,
                directory,
                images,
                variables,
                cpuMillis,
                memoryBytes,
                restartBackOff,
                restartBackOffLimit,
                lossTolerated);
    }

    public KubeletOptions withRestartBackOff(Duration initial, Duration limit) {
        return new KubeletOptions(
                nodes, directory, images, variables, cpuMillis, memoryBytes, initial, limit, lossTolerated);
    }

    public KubeletOptions withLossTolerated(Duration tolerated) {
        return new KubeletOptions(
                nodes,
                directory,
                images,
                variables,
                cpuMillis,
                memoryBytes,
                restartBackOff,
                restartBackOffLimit,
                tolerated);
    }

    private static String hostName() {
        String name;
        try {
            name = InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
        } catch (UnknownHostException e) {
            return "local";
        }
        String label = name.replaceAll("[^a-z0-9.-]", "-").replaceAll("^[^a-z0-9]+|[^a-z0-9]+$", "");
        return label.isEmpty() || label.length() > 63 ? "local" : label;
    }

    private static long machineMemoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : MEMORY_IF_UNKNOWN_BYTES;
    }
}
