/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.operator.certificates.CertificateLives;
import dev.ratchet.operator.model.PodSettings;
import dev.ratchet.operator.model.Privilege;
import dev.ratchet.protocol.release.Release;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Owns the settings of the process, each checked once.
 *
 * @param watchNamespaces namespaces whose clusters are managed; empty: all
 * @param operatorNamespace where the lease of the leader is
 * @param workerImage image of a worker of this release
 * @param podName who this process is among the operators
 * @param leaderElection whether several may run, of which one works
 * @param httpAddress where health and metrics are listened for; empty: everywhere
 * @param httpPort of health and metrics; 0: any free one
 * @param networkPolicies whether to make NetworkPolicy objects
 * @param certificates how long certificates live
 * @param pods what the administrator says of the pods of clusters
 */
public record OperatorConfiguration(
        Set<String> watchNamespaces,
        String operatorNamespace,
        String workerImage,
        String podName,
        boolean leaderElection,
        String httpAddress,
        int httpPort,
        boolean networkPolicies,
        CertificateLives certificates,
        PodSettings pods) {
    private static final int PORT_MAX = 65535;
    private static final int CERTIFICATE_DAYS_MAX = 3650;
    private static final String DEFAULT_CERTIFICATE_DAYS = "90";
    private static final Set<String> LOG_LEVELS = Set.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE");
    private static final Set<String> LOG_FORMATS = Set.of("text", "json");

    public OperatorConfiguration {
        watchNamespaces = Set.copyOf(watchNamespaces);
        if (workerImage.isEmpty()) {
            throw new IllegalArgumentException("RATCHET_WORKER_IMAGE is empty; set it to the image of the workers");
        }
    }

    /**
     * The settings in {@code environment}.
     *
     * @throws IllegalArgumentException naming the variable, its value and what it may be
     */
    public static OperatorConfiguration of(Map<String, String> environment) {
        // Read by the configuration of the log, which is silent about a word that it does not know.
        oneOf(environment, "RATCHET_LOG_FORMAT", LOG_FORMATS);
        int days = number(environment, "RATCHET_CERTIFICATE_DAYS", DEFAULT_CERTIFICATE_DAYS, 1, CERTIFICATE_DAYS_MAX);
        return new OperatorConfiguration(
                names(environment, "RATCHET_WATCH_NAMESPACES"),
                text(environment, "RATCHET_OPERATOR_NAMESPACE", "default"),
                text(environment, "RATCHET_WORKER_IMAGE", "ratchet/worker:" + Release.VERSION),
                text(environment, "POD_NAME", text(environment, "HOSTNAME", "operator")),
                flag(environment, "RATCHET_LEADER_ELECTION", true),
                text(environment, "RATCHET_HTTP_ADDRESS", ""),
                number(environment, "RATCHET_HTTP_PORT", "8080", 0, PORT_MAX),
                flag(environment, "RATCHET_NETWORK_POLICIES", true),
                CertificateLives.ofDays(days),
                pods(environment));
    }

    private static PodSettings pods(Map<String, String> environment) {
        return new PodSettings(
                List.copyOf(names(environment, "RATCHET_PODS_PULL_SECRETS")),
                flag(environment, "RATCHET_PODS_FIXED_USER", true),
                oneOf(environment, "RATCHET_PODS_LOG_LEVEL", LOG_LEVELS),
                oneOf(environment, "RATCHET_PODS_LOG_FORMAT", LOG_FORMATS),
                names(environment, "RATCHET_PODS_ALLOW").stream()
                        .map(OperatorConfiguration::privilege)
                        .collect(Collectors.toSet()),
                peers(environment, "RATCHET_MONITORING_PEERS"));
    }

    private static List<NetworkPolicyPeer> peers(Map<String, String> environment, String name) {
        String value = text(environment, name, "[]");
        try {
            return new ObjectMapper().readValue(value, new TypeReference<List<NetworkPolicyPeer>>() {});
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(
                    name + " is '" + value + "' and must be a list of peers of a NetworkPolicy, in JSON: "
                            + malformed.getOriginalMessage(),
                    malformed);
        }
    }

    private static Privilege privilege(String word) {
        return Privilege.of(word)
                .orElseThrow(() -> new IllegalArgumentException(
                        "RATCHET_PODS_ALLOW has '" + word + "' and may have " + Privilege.words()));
    }

    private static String oneOf(Map<String, String> environment, String name, Set<String> words) {
        String value = text(environment, name, "");
        if (value.isEmpty() || words.contains(value)) {
            return value;
        }
        throw new IllegalArgumentException(
                name + " is '" + value + "' and must be one of " + String.join(", ", new TreeSet<>(words)));
    }

    private static Set<String> names(Map<String, String> environment, String name) {
        return Arrays.stream(text(environment, name, "").split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String text(Map<String, String> environment, String name, String otherwise) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? otherwise : value.strip();
    }

    private static boolean flag(Map<String, String> environment, String name, boolean otherwise) {
        String value = text(environment, name, Boolean.toString(otherwise));
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " is '" + value + "' and must be true or false");
        };
    }

    private static int number(Map<String, String> environment, String name, String otherwise, int min, int max) {
        String value = text(environment, name, otherwise);
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // Said below, together with numbers that are out of range.
        }
        throw new IllegalArgumentException(
                name + " is '" + value + "' and must be a number from " + min + " to " + max);
    }
}
