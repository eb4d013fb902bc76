/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.proxy;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EndpointAddress;
import io.fabric8.kubernetes.api.model.EndpointAddressBuilder;
import io.fabric8.kubernetes.api.model.EndpointPort;
import io.fabric8.kubernetes.api.model.EndpointPortBuilder;
import io.fabric8.kubernetes.api.model.EndpointSubset;
import io.fabric8.kubernetes.api.model.EndpointSubsetBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Finds the pods behind a Service. Pure. */
final class Backends {

    private Backends() {}

    /**
     * The subsets of the Service's Endpoints, in an order that depends on nothing but the pods; pods that end are in
     * none.
     */
    static List<EndpointSubset> subsets(Service service, Collection<Pod> pods) {
        Map<List<EndpointPort>, List<Pod>> groups = new TreeMap<>(Comparator.comparing(Object::toString));
        for (Pod pod : pods) {
            if (selects(service, pod) && hasAddress(pod)) {
                groups.computeIfAbsent(ports(service, pod), ports -> new ArrayList<>())
                        .add(pod);
            }
        }
        return groups.entrySet().stream()
                .filter(group -> !group.getKey().isEmpty())
                .map(group -> subset(service, group.getKey(), group.getValue()))
                .toList();
    }

    /** Where connections to one port of the Service may go. */
    static List<InetSocketAddress> ready(List<EndpointSubset> subsets, ServicePort port) {
        List<InetSocketAddress> targets = new ArrayList<>();
        for (EndpointSubset subset : subsets) {
            for (EndpointPort candidate : subset.getPorts()) {
                if (Objects.equals(candidate.getName(), port.getName())) {
                    subset.getAddresses()
                            .forEach(address ->
                                    targets.add(new InetSocketAddress(address.getIp(), candidate.getPort())));
                }
            }
        }
        return targets;
    }

    private static EndpointSubset subset(Service service, List<EndpointPort> ports, List<Pod> pods) {
        boolean all = Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses());
        return new EndpointSubsetBuilder()
                .withPorts(ports)
                .withAddresses(addresses(
                        pods.stream().filter(pod -> all || isReady(pod)).toList()))
                .withNotReadyAddresses(addresses(
                        pods.stream().filter(pod -> !all && !isReady(pod)).toList()))
                .build();
    }

    private static List<EndpointAddress> addresses(List<Pod> pods) {
        return pods.stream()
                .map(pod -> new EndpointAddressBuilder()
                        .withIp(pod.getStatus().getPodIP())
                        .withNodeName(pod.getSpec().getNodeName())
                        .withNewTargetRef()
                        .withKind("Pod")
                        .withName(pod.getMetadata().getName())
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withUid(pod.getMetadata().getUid())
                        .endTargetRef()
                        .build())
                .sorted(Comparator.comparing(EndpointAddress::getIp))
                .toList();
    }

    private static boolean selects(Service service, Pod pod) {
        Map<String, String> selector = service.getSpec().getSelector();
        Map<String, String> labels = pod.getMetadata().getLabels();
        return selector != null
                && !selector.isEmpty()
                && labels != null
                && labels.entrySet().containsAll(selector.entrySet());
    }

    private static boolean hasAddress(Pod pod) {
        String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && pod.getStatus().getPodIP() != null
                && !"Succeeded".equals(phase)
                && !"Failed".equals(phase);
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    private static List<EndpointPort> ports(Service service, Pod pod) {
        List<EndpointPort> ports = new ArrayList<>();
        for (ServicePort port : service.getSpec().getPorts()) {
            target(port, pod)
                    .ifPresent(number -> ports.add(new EndpointPortBuilder()
                            .withName(port.getName())
                            .withPort(number)
                            .withProtocol(port.getProtocol() == null ? "TCP" : port.getProtocol())
                            .build()));
        }
        return ports;
    }

    private static OptionalInt target(ServicePort port, Pod pod) {
        var target = port.getTargetPort();
        if (target == null) {
            return OptionalInt.of(port.getPort());
        }
        if (target.getIntVal() != null) {
            return OptionalInt.of(target.getIntVal());
        }
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(candidate -> target.getStrVal().equals(candidate.getName()))
                .mapToInt(ContainerPort::getContainerPort)
                .findFirst();
    }
}
