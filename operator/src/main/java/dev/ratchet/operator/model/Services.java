/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.Map;

/**
 * Owns the two services: clients to ready workers, workers to the store. Both have an address of their own, so no
 * cluster DNS is needed.
 */
public final class Services {
    private Services() {}

    /** Where clients connect; spreads over workers that take work. */
    public static Service client(Target target) {
        return service(
                target,
                Names.clientService(target.name()),
                target.labels(),
                Map.of(
                        Labels.MANAGED_BY,
                        Labels.RATCHET,
                        Labels.CLUSTER,
                        target.name(),
                        Labels.COMPONENT,
                        Labels.WORKER),
                Ports.WORKER);
    }

    /** Where workers find the embedded store. */
    public static Service store(Target target) {
        return service(
                target,
                Names.storeService(target.name()),
                Labels.store(target.name()),
                Map.of(
                        Labels.MANAGED_BY,
                        Labels.RATCHET,
                        Labels.CLUSTER,
                        target.name(),
                        Labels.COMPONENT,
                        Labels.STORE),
                Ports.STORE);
    }

    private static Service service(
            Target target, String name, Map<String, String> labels, Map<String, String> selector, int port) {
        return new ServiceBuilder()
                .withMetadata(target.metadata(name, labels))
                .withNewSpec()
                .withType("ClusterIP")
                .withSelector(selector)
                .addNewPort()
                .withName("grpc")
                .withPort(port)
                .withProtocol("TCP")
                .withNewTargetPort(port)
                .endPort()
                .endSpec()
                .build();
    }
}
