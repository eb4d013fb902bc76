/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Owns the worker pod of a seat: everything the process is given. Made from a revision that is kept, so that the pod of
 * a seat is what it was before, whatever the spec says now.
 */
public final class WorkerPods {
    /** What the kubelet waits beyond the drain for the process to say goodbye. */
    private static final int GOODBYE_SECONDS = 30;

    private WorkerPods() {}

    /** The pod of {@code seat}, made from {@code revision} with what is the seat's own and the drain of now. */
    public static Pod pod(Target target, String seat, ControllerRevision revision) {
        PodTemplateSpec template = WorkerRevisions.template(revision);
        PodSpec spec = template.getSpec();
        Map<String, Volume> own = new TreeMap<>();
        PodParts.seatVolumes(seat, target.spec().workers.storage).forEach(volume -> own.put(volume.getName(), volume));
        List<Volume> volumes = spec.getVolumes().stream()
                .map(volume -> own.getOrDefault(volume.getName(), volume))
                .toList();
        EnvVar drain = PodParts.variable(
                "RATCHET_DRAIN_TIMEOUT_MILLIS", Long.toString(target.spec().workers.drainTimeoutMillis));
        return new PodBuilder()
                .withNewMetadataLike(
                        target.metadata(seat, template.getMetadata().getLabels()))
                .addToLabels(Labels.SEAT, seat)
                .withAnnotations(template.getMetadata().getAnnotations())
                .addToAnnotations(
                        Names.REVISION_ANNOTATION, revision.getMetadata().getName())
                .endMetadata()
                .withNewSpecLike(spec)
                .withTerminationGracePeriodSeconds(graceSeconds(target.spec()))
                .withVolumes(volumes)
                .editMatchingContainer(container -> container.getName().equals(Names.WORKER_CONTAINER))
                .addToEnv(drain)
                .endContainer()
                .endSpec()
                .build();
    }

    /** As {@code pod}, but on the node {@code host} and on no other; "" for any. */
    public static Pod onNode(Pod pod, String host) {
        if (host.isEmpty()) {
            return pod;
        }
        NodeSelectorRequirement same = new NodeSelectorRequirement("metadata.name", "In", List.of(host));
        NodeSelector asked = Optional.ofNullable(pod.getSpec().getAffinity())
                .map(Affinity::getNodeAffinity)
                .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                .orElseGet(() -> new NodeSelector(List.of(new NodeSelectorTerm())));
        // Each term alone lets a node be taken.
        List<NodeSelectorTerm> terms = asked.getNodeSelectorTerms().stream()
                .map(term ->
                        new NodeSelectorTermBuilder(term).addToMatchFields(same).build())
                .toList();
        return new PodBuilder(pod)
                .editSpec()
                .editOrNewAffinity()
                .editOrNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(terms)
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    /** What all seats have in common. What is a seat's own has no seat in it, and {@link #pod} puts it in. */
    static PodTemplateSpec template(Target target) {
        ComputeClusterSpec spec = target.spec();
        List<Volume> volumes = new ArrayList<>(PodParts.volumes(target, "", spec.workers.storage));
        volumes.addAll(SharedMemoryParts.volumes(spec));
        volumes.addAll(FoundationDbParts.volumes(spec.store));
        volumes.addAll(CircuitParts.volumes(spec));
        Map<String, String> labels = Labels.seat(target.name(), Names.POOL, "");
        labels.remove(Labels.SEAT);
        PodTemplateSpec ours = new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withRestartPolicy("Always")
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
        variables.add(PodParts.variable("RATCHET_JAVA_OPTIONS", Memory.workerJavaOptions(spec)));
        variables.addAll(FoundationDbParts.variables(spec.store));
        variables.addAll(CircuitParts.variables(spec));
        List<VolumeMount> mounts = new ArrayList<>(PodParts.mounts());
        mounts.addAll(SharedMemoryParts.mounts(spec));
        mounts.addAll(FoundationDbParts.mounts(spec.store));
        mounts.addAll(CircuitParts.mounts(spec));
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
                .addNewPort()
                .withName("exchange")
                .withContainerPort(Ports.EXCHANGE)
                .endPort()
                .addNewPort()
                .withName("circuit")
                .withContainerPort(Ports.CIRCUIT)
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
