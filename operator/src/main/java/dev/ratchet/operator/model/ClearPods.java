/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

/**
 * Owns the pod that clears a cluster's part of a store that stays, after the last worker is gone. That it succeeded is
 * kept by Kubernetes, so the operator may die meanwhile.
 */
public final class ClearPods {
    private ClearPods() {}

    public static String name(String cluster) {
        return cluster + "-clear";
    }

    public static Pod pod(Target target) {
        String image = Images.of(target.spec(), target.settings());
        return new PodBuilder()
                .withMetadata(target.metadata(name(target.name()), target.labels()))
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withRestartPolicy("OnFailure")
                .withImagePullSecrets(PodParts.pullSecrets(target.settings()))
                .withSecurityContext(PodParts.podSecurity(target.settings()))
                .withInitContainers(FoundationDbParts.initContainers(target.spec().store, image))
                .addNewContainer()
                .withName("clear")
                .withImage(image)
                .withCommand("/opt/ratchet/bin/ratchet", "store", "clear")
                .withEnv(PodParts.commonVariables(target))
                .addAllToEnv(FoundationDbParts.variables(target.spec().store))
                .withSecurityContext(PodParts.containerSecurity())
                .withVolumeMounts(
                        PodParts.mount("config", PodParts.CONFIG_DIRECTORY, true),
                        PodParts.mount("temp", PodParts.TEMP_DIRECTORY, false))
                .addAllToVolumeMounts(FoundationDbParts.mounts(target.spec().store))
                .endContainer()
                .addNewVolume()
                .withName("config")
                .withNewConfigMap()
                .withName(Names.config(target.name()))
                .endConfigMap()
                .endVolume()
                .addToVolumes(PodParts.emptyDirectory("temp"))
                .addAllToVolumes(FoundationDbParts.volumes(target.spec().store))
                .endSpec()
                .build();
    }
}
