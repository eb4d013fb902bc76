/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

/**
 * Owns the pod that brings another image to the node of an embedded store and runs its program once there, before the
 * store is given it. A kubelet ends a container before it pulls the image of the next one, and workers wait for their
 * store for no longer than their leases last.
 */
public final class PullPods {
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
                .withSecurityContext(PodParts.containerSecurity())
                .endContainer()
                .endSpec()
                .build();
    }
}
