/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.futures.isolation.IsolationOptions;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.store.ClusterConfiguration;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a worker process is told by its environment, checked as a whole: either all of it can be used, or every mistake
 * is named at once.
 *
 * @param cluster name of the ComputeCluster
 * @param namespace its namespace
 * @param seat name of the seat, which is the pod's
 * @param podUid UID of the pod
 * @param address address that others reach it at
 * @param host name of the node
 * @param configurationDirectory holds {@code cluster.json}
 * @param tlsDirectory holds the process's credential
 * @param dataDirectory writable; its content outlives the process
 * @param temporaryDirectory writable
 * @param threads execution slots
 * @param capacity what tasks may take together
 * @param labels what sessions may require of it beside slots
 * @param objectStoreMemoryBytes most memory for results
 * @param objectStoreSpillBytes most disk for results
 * @param lease the times of its lease
 * @param isolation how isolated tasks run; none may outlive the kill wait of the lease
 * @param circuitTokenFile holds the token with which callers of the circuit over HTTP may do everything
 * @param drainTimeoutMillis how long running futures may take when the process ends
 */
record WorkerSettings(
        String cluster,
        String namespace,
        String seat,
        String podUid,
        InetAddress address,
        String host,
        Path configurationDirectory,
        Path tlsDirectory,
        Path dataDirectory,
        Path temporaryDirectory,
        int threads,
        Capacity capacity,
        Map<String, String> labels,
        long objectStoreMemoryBytes,
        long objectStoreSpillBytes,
        LeaseSettings lease,
        IsolationOptions isolation,
        ClientLimits clientLimits,
        boolean checksPeerAddresses,
        Optional<Path> circuitTokenFile,
        long drainTimeoutMillis) {

    private static final int LONGEST_NAME = 253;
    private static final int MOST_THREADS = 4_096;
    private static final long LONGEST_DRAIN_MILLIS = 30L * 24 * 3_600_000;

    /**
     * Reads the variables of the process.
     *
     * @throws ConfigurationException if any is missing or unusable; it has one line per mistake
     */
    static WorkerSettings from(Map<String, String> environment) {
        Reader reader = new Reader(environment);
        LeaseSettings lease = reader.lease("RATCHET_LEASE");
        WorkerSettings settings = new WorkerSettings(
                reader.name("RATCHET_CLUSTER"),
                reader.name("RATCHET_NAMESPACE"),
                reader.name("RATCHET_SEAT"),
                reader.text("RATCHET_POD_UID"),
                reader.address("RATCHET_POD_IP"),
                reader.text("RATCHET_HOST"),
                reader.directory("RATCHET_CONFIG_DIR", false),
                reader.directory("RATCHET_TLS_DIR", false),
                reader.directory("RATCHET_DATA_DIR", true),
                reader.directory("RATCHET_TEMP_DIR", true),
                (int) reader.number("RATCHET_THREADS", 1, MOST_THREADS),
                reader.capacity("RATCHET_RESOURCES", "RATCHET_THREADS"),
                reader.labels("RATCHET_LABELS"),
                reader.number("RATCHET_OBJECT_STORE_MEMORY_BYTES", 0, Long.MAX_VALUE),
                reader.number("RATCHET_OBJECT_STORE_SPILL_BYTES", 0, Long.MAX_VALUE),
                lease,
                reader.isolation(lease),
                reader.clientLimits("RATCHET_CLIENT_LIMITS"),
                reader.flag("RATCHET_CHECK_PEER_ADDRESSES", true),
                reader.file("RATCHET_CIRCUIT_TOKEN_FILE"),
                reader.number("RATCHET_DRAIN_TIMEOUT_MILLIS", 0, LONGEST_DRAIN_MILLIS));
        if (!reader.mistakes.isEmpty()) {
            throw new ConfigurationException(reader.mistakes);
        }
        return settings;
    }

    /**
     * What {@code cluster.json} says now.
     *
     * @throws IllegalArgumentException if it can not be read, or is for another cluster
     */
    ClusterConfiguration clusterConfiguration() {
        ClusterConfiguration found = ClusterConfiguration.read(configurationDirectory);
        if (!found.cluster().equals(cluster) || !found.namespace().equals(namespace)) {
            throw new IllegalArgumentException(configurationDirectory.resolve(ClusterConfiguration.FILE)
                    + " is for cluster " + found.namespace() + "/" + found.cluster() + ", this process belongs to "
                    + owner());
        }
        return found;
    }

    /** {@code <namespace>/<cluster>}, whom the store's subspace belongs to. */
    String owner() {
        return namespace + "/" + cluster;
    }

    /** Reads variables, collects what is wrong with them and goes on with a stand-in. */
    private static final class Reader {
        private final Map<String, String> environment;
        private final List<String> mistakes = new ArrayList<>();

        Reader(Map<String, String> environment) {
            this.environment = environment;
        }

        String text(String variable) {
            String value = environment.getOrDefault(variable, "").strip();
            if (value.isEmpty()) {
                mistakes.add(variable + " is not set: set it as the operator does for container 'worker'");
            }
            return value;
        }

        String name(String variable) {
            String value = text(variable);
            if (!value.isEmpty()
                    && (value.length() > LONGEST_NAME || !value.matches("[a-z0-9]([-.a-z0-9]*[a-z0-9])?"))) {
                mistakes.add(variable + " is '" + value + "', which is not a Kubernetes name of at most " + LONGEST_NAME
                        + " characters");
            }
            return value;
        }

        InetAddress address(String variable) {
            String value = text(variable);
            try {
                if (value.isEmpty() || value.matches("[0-9A-Fa-f:.]+")) {
                    return InetAddress.getByName(value);
                }
            } catch (UnknownHostException unusable) {
                // Reported below with the names.
            }
            mistakes.add(variable + " is '" + value + "', which is not an IP address");
            return InetAddress.getLoopbackAddress();
        }

        Path directory(String variable, boolean writable) {
            String value = text(variable);
            Path path = Path.of(value);
            if (!value.isEmpty() && !Files.isDirectory(path)) {
                mistakes.add(variable + " is '" + value + "', which is not a directory");
            } else if (!value.isEmpty() && writable && !Files.isWritable(path)) {
                mistakes.add(variable + " is '" + value + "', which this process can not write to");
            }
            return path;
        }

        /** A file that need not be there, or not yet. */
        Optional<Path> file(String variable) {
            String value = environment.getOrDefault(variable, "").strip();
            return value.isEmpty() ? Optional.empty() : Optional.of(Path.of(value));
        }

        /** {@code memoryBytes=8000000000,gpus=1,license=2}: without it memory is what the heap may become. */
        Capacity capacity(String variable, String threadsVariable) {
            long memoryBytes = Runtime.getRuntime().maxMemory();
            long gpuMillis = 0;
            Map<String, Long> custom = new TreeMap<>();
            String given = environment.getOrDefault(variable, "").strip();
            for (String pair : given.isEmpty() ? new String[0] : given.split(",")) {
                String[] parts = pair.strip().split("=", 2);
                try {
                    switch (parts[0]) {
                        case "memoryBytes" -> memoryBytes = Long.parseLong(parts[1]);
                        case "gpus" -> gpuMillis = Math.round(Double.parseDouble(parts[1]) * 1_000);
                        default -> custom.put(parts[0], Long.parseLong(parts[1]));
                    }
                } catch (NumberFormatException | ArrayIndexOutOfBoundsException malformed) {
                    mistakes.add(variable + " has '" + pair + "', which is not <name>=<number>");
                }
            }
            int threads = (int) numberOr(environment.getOrDefault(threadsVariable, ""), 1);
            return new Capacity(threads * 1_000L, memoryBytes, gpuMillis, custom);
        }

        /** {@code accelerator=a100,zone=eu-1a}: what a session can not require is a mistake. */
        Map<String, String> labels(String variable) {
            Map<String, String> labels = new TreeMap<>();
            String given = environment.getOrDefault(variable, "").strip();
            for (String pair : given.isEmpty() ? new String[0] : given.split(",", -1)) {
                String[] parts = pair.strip().split("=", 2);
                if (parts.length < 2 || labels.putIfAbsent(parts[0], parts[1]) != null) {
                    mistakes.add(variable + " has '" + pair + "', which is not <key>=<value> with a key of its own");
                }
            }
            SessionOptions requiring = SessionOptions.defaults();
            try {
                for (Map.Entry<String, String> label : labels.entrySet()) {
                    requiring = requiring.withWorkerLabel(label.getKey(), label.getValue());
                }
            } catch (InvalidInputException unusable) {
                mistakes.add(variable + " is '" + given + "': " + unusable.getMessage());
            }
            return labels;
        }

        /**
         * {@code beatMillis=1000,workerTtlMillis=5000}: those that are named are other than by default.
         *
         * @return the default where what is named makes no safe lease
         */
        LeaseSettings lease(String variable) {
            String given = environment.getOrDefault(variable, "").strip();
            try {
                return given.isEmpty() ? LeaseSettings.DEFAULT : LeaseSettings.DEFAULT.with(numbers(variable, given));
            } catch (IllegalArgumentException unsafe) {
                mistakes.add(variable + " is '" + given + "': " + unsafe.getMessage());
                return LeaseSettings.DEFAULT;
            }
        }

        /** {@code callsPerSecond=100000,openCalls=65536}: those that are named are other than by default. */
        ClientLimits clientLimits(String variable) {
            ClientLimits defaults = ClientLimits.forHeap(Runtime.getRuntime().maxMemory());
            String given = environment.getOrDefault(variable, "").strip();
            try {
                return given.isEmpty() ? defaults : defaults.with(numbers(variable, given));
            } catch (IllegalArgumentException unusable) {
                mistakes.add(variable + " is '" + given + "': " + unusable.getMessage());
                return defaults;
            }
        }

        boolean flag(String variable, boolean otherwise) {
            String value = environment.getOrDefault(variable, "").strip();
            if (!value.isEmpty() && !value.equals("true") && !value.equals("false")) {
                mistakes.add(variable + " is '" + value + "', which is neither true nor false");
            }
            return value.isEmpty() ? otherwise : value.equals("true");
        }

        private Map<String, Long> numbers(String variable, String given) {
            Map<String, Long> numbers = new TreeMap<>();
            for (String pair : given.split(",", -1)) {
                String[] parts = pair.strip().split("=", 2);
                try {
                    numbers.put(parts[0], Long.parseLong(parts[1]));
                } catch (NumberFormatException | ArrayIndexOutOfBoundsException malformed) {
                    mistakes.add(variable + " has '" + pair + "', which is not <name>=<number>");
                }
            }
            return numbers;
        }

        /** How isolated tasks run; each variable may be absent. A killed task must be gone when its lease says so. */
        IsolationOptions isolation(LeaseSettings lease) {
            IsolationOptions defaults = IsolationOptions.DEFAULT;
            String options = environment
                    .getOrDefault("RATCHET_ISOLATED_JAVA_OPTIONS", "")
                    .strip();
            long graceMost = Math.min(IsolationOptions.GRACE_MILLIS_MAX, lease.killWaitMillis());
            return new IsolationOptions(
                    options.isEmpty() ? defaults.javaOptions() : List.of(options.split("\\s+")),
                    numberOr("RATCHET_KILL_GRACE_MILLIS", 0, graceMost, Math.min(graceMost, defaults.graceMillis())),
                    (int) numberOr("RATCHET_ISOLATED_SUSPENDED_MAX", 0, MOST_THREADS, defaults.suspendedMax()),
                    Optional.empty());
        }

        private long numberOr(String variable, long least, long most, long otherwise) {
            return environment.getOrDefault(variable, "").isBlank() ? otherwise : number(variable, least, most);
        }

        /** Mistakes in it are reported where it is read for its own sake. */
        private static long numberOr(String value, long otherwise) {
            try {
                return Math.clamp(Long.parseLong(value.strip()), 1, MOST_THREADS);
            } catch (NumberFormatException unusable) {
                return otherwise;
            }
        }

        long number(String variable, long least, long most) {
            String value = text(variable);
            if (value.isEmpty()) {
                return least;
            }
            try {
                long number = Long.parseLong(value);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                // Reported below with the range.
            }
            mistakes.add(variable + " is '" + value + "', which is not a whole number from " + least + " to " + most);
            return least;
        }
    }
}
