/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import dev.ratchet.operator.certificates.CertificateLives;
import java.util.Arrays;
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
        CertificateLives certificates) {
    private static final int PORT_MAX = 65535;
    private static final int CERTIFICATE_DAYS_MAX = 3650;
    private static final String DEFAULT_CERTIFICATE_DAYS = "90";

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
        int days = number(environment, "RATCHET_CERTIFICATE_DAYS", DEFAULT_CERTIFICATE_DAYS, 1, CERTIFICATE_DAYS_MAX);
        return new OperatorConfiguration(
                namespaces(text(environment, "RATCHET_WATCH_NAMESPACES", "")),
                text(environment, "RATCHET_OPERATOR_NAMESPACE", "default"),
                text(environment, "RATCHET_WORKER_IMAGE", "ratchet/worker:" + Release.VERSION),
                text(environment, "POD_NAME", text(environment, "HOSTNAME", "operator")),
                flag(environment, "RATCHET_LEADER_ELECTION", true),
                text(environment, "RATCHET_HTTP_ADDRESS", ""),
                number(environment, "RATCHET_HTTP_PORT", "8080", 0, PORT_MAX),
                flag(environment, "RATCHET_NETWORK_POLICIES", true),
                CertificateLives.ofDays(days));
    }

    private static Set<String> namespaces(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
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
