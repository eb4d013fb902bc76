/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.EmbeddedStoreSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.util.List;
import java.util.Objects;

/**
 * Owns the pod of the embedded store. There is one, and its loss stalls the cluster until it is back, but loses nothing
 * on its volume.
 */
public final class StorePods {
    private static final long GRACE_SECONDS = 60;

    private StorePods() {}

    /** The pod {@code <cluster>-store-0}. */
    public static Pod pod(Target target) {
        PodTemplateSpec template = template(target);
        return new PodBuilder()
                .withNewMetadataLike(target.metadata(
                        Names.storePod(target.name()), template.getMetadata().getLabels()))
                .withAnnotations(template.getMetadata().getAnnotations())
                .addToAnnotations(Names.REVISION_ANNOTATION, revision(target))
                .addToAnnotations(Names.VERSION_ANNOTATION, target.spec().version)
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
    }

    /** Name of what the store pod of this spec is. */
    public static String revision(Target target) {
        return Names.revision(target.name(), Revision.shortHash(template(target)));
    }

    /** The image that the store of this spec runs. */
    public static String image(Target target) {
        return Images.of(target.spec(), target.settings());
    }

    /** The settings of the embedded store; defaults where the spec gives none. */
    public static EmbeddedStoreSpec settings(ComputeClusterSpec spec) {
        return Objects.requireNonNullElseGet(spec.store.embedded, EmbeddedStoreSpec::new);
    }

    private static PodTemplateSpec template(Target target) {
        String pod = Names.storePod(target.name());
        EmbeddedStoreSpec embedded = settings(target.spec());
        PodTemplateSpec ours = new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(Labels.store(target.name()))
                .endMetadata()
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withRestartPolicy("Always")
                .withTerminationGracePeriodSeconds(GRACE_SECONDS)
                .withImagePullSecrets(PodParts.pullSecrets(target.settings()))
                .withSecurityContext(PodParts.podSecurity(target.settings()))
                .withContainers(container(target, embedded))
                .withVolumes(PodParts.volumes(target, pod, embedded.storage))
                .endSpec()
                .build();
        return PodTemplates.merge(ours, embedded.podTemplate);
    }

    private static Container container(Target target, EmbeddedStoreSpec embedded) {
        List<EnvVar> variables = PodParts.commonVariables(target);
        variables.add(PodParts.variable("RATCHET_JAVA_OPTIONS", Memory.storeJavaOptions(embedded.resources)));
        return new ContainerBuilder()
                .withName(Names.STORE_CONTAINER)
                .withImage(image(target))
                .withCommand("/opt/ratchet/bin/ratchet", "store", "serve")
                .withEnv(variables)
                .addNewPort()
                .withName("grpc")
                .withContainerPort(Ports.STORE)
                .endPort()
                .addNewPort()
                .withName("health")
                .withContainerPort(Ports.HEALTH)
                .endPort()
                .withResources(PodParts.resources(embedded.resources))
                .withSecurityContext(PodParts.containerSecurity())
                .withStartupProbe(PodParts.startup())
                .withLivenessProbe(PodParts.liveness())
                .withReadinessProbe(PodParts.readiness())
                .withVolumeMounts(PodParts.mounts())
                .build();
    }
}
