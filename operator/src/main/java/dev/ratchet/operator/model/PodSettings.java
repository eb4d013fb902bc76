/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.util.List;
import java.util.Set;

/**
 * Owns what the administrator of the operator says of the pods of all clusters.
 *
 * @param pullSecrets names of Secrets to pull images with, each in the namespace of the cluster
 * @param fixedUser whether pods run as a user and group of our choice; if not, the platform must choose them
 * @param logLevel level of workers and stores; empty: their default
 * @param logFormat {@code text} or {@code json}; empty: their default
 * @param allowed what pod templates may ask for beyond the restricted profile
 * @param monitoring who may reach the ports of health and metrics, by network policies; empty: anybody
 */
public record PodSettings(
        List<String> pullSecrets,
        boolean fixedUser,
        String logLevel,
        String logFormat,
        Set<Privilege> allowed,
        List<NetworkPolicyPeer> monitoring) {
    /** Nothing special. */
    public static final PodSettings DEFAULT = new PodSettings(List.of(), true, "", "", Set.of(), List.of());

    public PodSettings {
        pullSecrets = List.copyOf(pullSecrets);
        allowed = Set.copyOf(allowed);
        monitoring = List.copyOf(monitoring);
    }
}
