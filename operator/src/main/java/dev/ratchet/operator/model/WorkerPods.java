/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;

/**
 * Owns the worker pod of a seat: everything the process is given. The revision is the same for all seats of one spec.
 */
public final class WorkerPods {
    /** What the kubelet waits beyond the drain for the process to say goodbye. */
    private static final int GOODBYE_SECONDS = 30;

    private WorkerPods() {}

    /** The pod of {@code seat}. */
    public static Pod pod(Target target, String seat) {
        PodTemplateSpec template = template(target, seat);
        return new PodBuilder()
                .withNewMetadataLike(
                        target.metadata(seat, template.getMetadata().getLabels()))
                .withAnnotations(template.getMetadata().getAnnotations())
                .addToAnnotations(Names.REVISION_ANNOTATION, revision(target))
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
    }

    /** Name of what the pods of this spec are, whichever seat: two specs that give equal pods give equal names. */
    public static String revision(Target target) {
        return Names.revision(target.name(), Revision.shortHash(template(target, "seat")));
    }

    private static PodTemplateSpec template(Target target, String seat) {
        ComputeClusterSpec spec = target.spec();
        List<Volume> volumes = new ArrayList<>(PodParts.volumes(target, seat, spec.workers.storage));
        volumes.addAll(SharedMemoryParts.volumes(spec));
        volumes.addAll(FoundationDbParts.volumes(spec.store));
        PodTemplateSpec ours = new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(Labels.seat(target.name(), Names.POOL, seat))
                .endMetadata()
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withRestartPolicy("Always")
                .withTerminationGracePeriodSeconds(graceSeconds(spec))
                .withImagePullSecrets(PodParts.pullSecrets(target.settings()))
                .withSecurityContext(PodParts.podSecurity(target.settings()))
                .withInitContainers(FoundationDbParts.initContainers(spec.store, Images.of(spec, target.settings())))
                .withContainers(container(target))
                .withVolumes(volumes)
                .endSpec()
                .build();
        return PodTemplates.merge(ours, spec.workers.podTemplate);
    }

    /** Longer than the drain, so that a worker told to end by anybody still finishes or gives back what it runs. */
    static long graceSeconds(ComputeClusterSpec spec) {
        return (spec.workers.drainTimeoutMillis + 999) / 1000 + GOODBYE_SECONDS;
    }

    private static Container container(Target target) {
        ComputeClusterSpec spec = target.spec();
        List<EnvVar> variables = PodParts.commonVariables(target);
        variables.add(PodParts.variable("RATCHET_THREADS", Integer.toString(spec.workers.threads)));
        variables.add(
                PodParts.variable("RATCHET_OBJECT_STORE_MEMORY_BYTES", Long.toString(Memory.objectStoreBytes(spec))));
        variables.add(PodParts.variable("RATCHET_OBJECT_STORE_SPILL_BYTES", Long.toString(Memory.spillBytes(spec))));
        variables.add(
                PodParts.variable("RATCHET_DRAIN_TIMEOUT_MILLIS", Long.toString(spec.workers.drainTimeoutMillis)));
        variables.add(PodParts.variable("RATCHET_JAVA_OPTIONS", Memory.workerJavaOptions(spec)));
        variables.addAll(FoundationDbParts.variables(spec.store));
        List<VolumeMount> mounts = new ArrayList<>(PodParts.mounts());
        mounts.addAll(SharedMemoryParts.mounts(spec));
        mounts.addAll(FoundationDbParts.mounts(spec.store));
        return new ContainerBuilder()
                .withName(Names.WORKER_CONTAINER)
                .withImage(Images.of(spec, target.settings()))
                .withCommand("/opt/ratchet/bin/worker")
                .withEnv(variables)
                .addNewPort()
                .withName("grpc")
                .withContainerPort(Ports.WORKER)
                .endPort()
                .addNewPort()
                .withName("health")
                .withContainerPort(Ports.HEALTH)
                .endPort()
                .withResources(PodParts.resources(spec.workers.resources))
                .withSecurityContext(PodParts.containerSecurity())
                .withStartupProbe(PodParts.startup())
                .withLivenessProbe(PodParts.liveness())
                .withReadinessProbe(PodParts.readiness())
                .withVolumeMounts(mounts)
                .build();
    }
}
