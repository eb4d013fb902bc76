/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Owns the pod that brings another image to the node of an embedded store and runs its program once there, before the
 * store is given it. A kubelet ends a container before it pulls the image of the next one, and workers wait for their
 * store for no longer than their leases last.
 */
public final class PullPods {
    /** What it takes to say a version, of what quotas count. */
    private static final Map<String, Quantity> ENOUGH = Map.of(
            "cpu", new Quantity("100m"),
            "memory", new Quantity("256Mi"),
            "ephemeral-storage", new Quantity("64Mi"));

    private PullPods() {}

    /** The pod {@code <cluster>-pull}, on the node of {@code store} and with what that is allowed there. */
    public static Pod pod(Target target, Pod store) {
        return new PodBuilder()
                .withMetadata(target.metadata(Names.pullPod(target.name()), target.labels()))
                .withNewSpec()
                .withNodeName(store.getSpec().getNodeName())
                .withTolerations(store.getSpec().getTolerations())
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withRestartPolicy("OnFailure")
                .withImagePullSecrets(store.getSpec().getImagePullSecrets())
                .withSecurityContext(store.getSpec().getSecurityContext())
                .addNewContainer()
                .withName("pull")
                .withImage(StorePods.image(target))
                .withCommand("/opt/ratchet/bin/ratchet", "--version")
                .withResources(resources(store))
                .withSecurityContext(PodParts.containerSecurity())
                .endContainer()
                .endSpec()
                .build();
    }

    /**
     * What a quota may ask every container to name is named where the store's names it; no more of it than the program
     * needs, since a kubelet refuses a pod for which its node has no room beside the store.
     */
    private static ResourceRequirements resources(Pod store) {
        ResourceRequirements named = store.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(Names.STORE_CONTAINER))
                .map(Container::getResources)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(ResourceRequirements::new);
        return new ResourceRequirementsBuilder()
                .withRequests(enoughOf(named.getRequests()))
                .withLimits(enoughOf(named.getLimits()))
                .build();
    }

    private static Map<String, Quantity> enoughOf(Map<String, Quantity> named) {
        Map<String, Quantity> enough = new TreeMap<>(named);
        enough.keySet().retainAll(ENOUGH.keySet());
        enough.replaceAll((name, amount) -> lesser(amount, ENOUGH.getOrDefault(name, amount)));
        return enough;
    }

    private static Quantity lesser(Quantity one, Quantity other) {
        return Quantity.getAmountInBytes(one).compareTo(Quantity.getAmountInBytes(other)) <= 0 ? one : other;
    }
}
