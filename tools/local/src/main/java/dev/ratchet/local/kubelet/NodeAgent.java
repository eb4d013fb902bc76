/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the Node object: makes it at the start and renews the heartbeat of its Ready condition, as often as a real
 * kubelet does without changes. Used by one thread.
 */
final class NodeAgent {

    static final long HEARTBEAT_SECONDS = 300;

    /** Set to "true" by a person it makes the node end as if its power failed, until it is taken off. */
    private static final String LOST_ANNOTATION = "local.ratchet.dev/lost";

    private static final Logger LOG = LoggerFactory.getLogger(NodeAgent.class);

    private final KubernetesClient client;
    private final KubeletOptions options;
    private final String name;
    private String readySince = ContainerStates.seconds(Instant.now());

    NodeAgent(KubernetesClient client, KubeletOptions options, String name) {
        this.client = client;
        this.options = options;
        this.name = name;
    }

    /** Whether somebody has taken the node away. */
    static boolean isLost(Node node) {
        Map<String, String> annotations = node.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(LOST_ANNOTATION));
    }

    private Map<String, String> labels() {
        return Map.of(
                "kubernetes.io/hostname", name, "kubernetes.io/os", "linux", "kubernetes.io/arch", architecture());
    }

    void register() {
        if (client.nodes().withName(name).get() == null) {
            Node node = new NodeBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withLabels(labels())
                    .endMetadata()
                    .withNewSpec()
                    .endSpec()
                    .build();
            client.nodes().resource(node).create();
        }
        heartbeat();
    }

    void heartbeat() {
        status("True", "KubeletReady", "the process kubelet is ready");
    }

    /** Nobody hears of the node any more. */
    void lose() {
        readySince = ContainerStates.seconds(Instant.now());
        status("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.");
    }

    /** The node is back. */
    void restore() {
        readySince = ContainerStates.seconds(Instant.now());
        heartbeat();
    }

    private void status(String ready, String reason, String message) {
        Map<String, Quantity> capacity = Map.of(
                "cpu", new Quantity(options.cpuMillis() + "m"),
                "memory", new Quantity(options.memoryBytes() / 1024 + "Ki"),
                "pods", new Quantity(Integer.toString(KubeletOptions.PODS_LIMIT)));
        Node status = new NodeBuilder()
                .withNewStatus()
                .withCapacity(capacity)
                .withAllocatable(capacity)
                .addNewAddress("127.0.0.1", "InternalIP")
                .addNewAddress(name, "Hostname")
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .withReason(reason)
                .withMessage(message)
                .withLastHeartbeatTime(ContainerStates.seconds(Instant.now()))
                .withLastTransitionTime(readySince)
                .endCondition()
                .withNewNodeInfo()
                .withArchitecture(architecture())
                .withOperatingSystem("linux")
                .withKernelVersion(System.getProperty("os.version"))
                .withOsImage(System.getProperty("os.name"))
                .withKubeletVersion("v1.36.0+ratchet")
                .withContainerRuntimeVersion("process://1")
                .endNodeInfo()
                .endStatus()
                .build();
        try {
            client.nodes()
                    .withName(name)
                    .subresource("status")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            Serialization.asJson(Map.of("status", status.getStatus())));
        } catch (KubernetesClientException e) {
            LOG.warn("the heartbeat of the node is late: node={} cause={}", name, e.toString());
        }
    }

    private static String architecture() {
        String name = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return switch (name) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> name;
        };
    }
}
