/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Owns the annotation that names the versions of the ConfigMaps and Secrets that a pod mounts. A kubelet brings another
 * version to a pod at its next look at it, a minute or more apart, but looks at once when the pod changes. So an edit
 * of slots, clients, a circuit or a certificate reaches processes within seconds. Nothing else reads the annotation.
 */
final class MountedVersions {
    private MountedVersions() {}

    /** {@code pod}, which is to be created, with what it will find. */
    static Pod annotated(Snapshot snapshot, Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(Names.MOUNTED_ANNOTATION, versions(snapshot, pod))
                .endMetadata()
                .build();
    }

    /** Plans the annotation of each living pod whose kubelet has something to bring. */
    static void plan(Snapshot snapshot, PlanBuilder plan) {
        for (Pod pod : snapshot.pods().values()) {
            if (PodFacts.isTerminating(pod) || PodFacts.isFinished(pod)) {
                continue;
            }
            String versions = versions(snapshot, pod);
            Map<String, String> annotations = pod.getMetadata().getAnnotations();
            if (annotations == null || !versions.equals(annotations.get(Names.MOUNTED_ANNOTATION))) {
                plan.annotate(pod, Map.of(Names.MOUNTED_ANNOTATION, versions));
            }
        }
    }

    private static String versions(Snapshot snapshot, Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .flatMap(volume -> source(snapshot, volume)
                        .map(source ->
                                volume.getName() + "=" + source.getMetadata().getResourceVersion())
                        .stream())
                .collect(Collectors.joining(" "));
    }

    /** What the operator made for the volume; others' objects are not watched. */
    private static Optional<HasMetadata> source(Snapshot snapshot, Volume volume) {
        if (volume.getConfigMap() != null) {
            return Optional.ofNullable(
                    snapshot.configs().get(volume.getConfigMap().getName()));
        }
        return volume.getSecret() == null
                ? Optional.empty()
                : Optional.ofNullable(snapshot.secrets().get(volume.getSecret().getSecretName()));
    }
}
