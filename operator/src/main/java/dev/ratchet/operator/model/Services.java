/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.Map;

/**
 * Owns the services: clients to ready workers, and to the circuit on them; workers to the store. Each has an address of
 * its own, so no cluster DNS is needed.
 */
public final class Services {
    private Services() {}

    /** Where clients connect; spreads over workers that take work. */
    public static Service client(Target target) {
        return service(
                target,
                Names.clientService(target.name()),
                target.labels(),
                pods(target, Labels.WORKER),
                "grpc",
                Ports.WORKER);
    }

    /** Where the circuit is fed and read; spreads over workers that take work. */
    public static Service circuit(Target target) {
        return service(
                target,
                Names.circuitService(target.name()),
                target.labels(),
                pods(target, Labels.WORKER),
                "https",
                Ports.CIRCUIT);
    }

    /** Where workers find the embedded store. */
    public static Service store(Target target) {
        return service(
                target,
                Names.storeService(target.name()),
                Labels.store(target.name()),
                pods(target, Labels.STORE),
                "grpc",
                Ports.STORE);
    }

    private static Map<String, String> pods(Target target, String component) {
        return Map.of(Labels.MANAGED_BY, Labels.RATCHET, Labels.CLUSTER, target.name(), Labels.COMPONENT, component);
    }

    private static Service service(
            Target target,
            String name,
            Map<String, String> labels,
            Map<String, String> selector,
            String portName,
            int port) {
        return new ServiceBuilder()
                .withMetadata(target.metadata(name, labels))
                .withNewSpec()
                .withType("ClusterIP")
                .withSelector(selector)
                .addNewPort()
                .withName(portName)
                .withPort(port)
                .withProtocol("TCP")
                .withNewTargetPort(port)
                .endPort()
                .endSpec()
                .build();
    }
}
