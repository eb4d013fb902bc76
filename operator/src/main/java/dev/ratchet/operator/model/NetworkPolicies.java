/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;

/**
 * Owns who may reach the pods of a cluster: anybody the workers and the circuit on them, where certificates or a token
 * decide; monitoring, or anybody if nobody has said where that is, the health ports; only the cluster's own pods the
 * store and the exchange of a circuit; nobody anything else.
 */
public final class NetworkPolicies {
    private NetworkPolicies() {}

    public static NetworkPolicy of(Target target) {
        return new NetworkPolicyBuilder()
                .withMetadata(target.metadata(Names.networkPolicy(target.name()), target.labels()))
                .withNewSpec()
                .withNewPodSelector()
                .addToMatchLabels(Labels.CLUSTER, target.name())
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .addNewIngress()
                .withPorts(port(Ports.WORKER), port(Ports.CIRCUIT))
                .endIngress()
                .addNewIngress()
                .withPorts(port(Ports.HEALTH))
                .withFrom(target.settings().pods().monitoring())
                .endIngress()
                .addNewIngress()
                .withPorts(port(Ports.STORE), port(Ports.EXCHANGE))
                .addNewFrom()
                .withNewPodSelector()
                .addToMatchLabels(Labels.CLUSTER, target.name())
                .endPodSelector()
                .endFrom()
                .endIngress()
                .endSpec()
                .build();
    }

    private static NetworkPolicyPort port(int number) {
        return new NetworkPolicyPortBuilder()
                .withProtocol("TCP")
                .withNewPort(number)
                .build();
    }
}
