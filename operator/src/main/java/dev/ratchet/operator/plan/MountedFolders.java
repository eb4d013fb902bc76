/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The folders of the workers that their users mount, which alone inputs read and outputs write. Immutable. */
final class MountedFolders {

    private final List<VolumeMount> mounts;
    private final List<Volume> volumes;

    MountedFolders(@Nullable PodTemplateSpec template) {
        PodSpec spec = template == null ? null : template.getSpec();
        this.mounts = spec == null
                ? List.of()
                : spec.getContainers().stream()
                        .filter(container -> Names.WORKER_CONTAINER.equals(container.getName()))
                        .flatMap(container -> container.getVolumeMounts().stream())
                        .toList();
        this.volumes = spec == null ? List.of() : spec.getVolumes();
    }

    /** Why a folder can not be read; empty where it can. Never what the operator mounts, such as keys. */
    Optional<String> refusalToRead(String path, String folder) {
        return mount(folder).isPresent()
                ? Optional.empty()
                : Optional.of(path + " is '" + folder + "' and must lie in a volume that spec.workers.podTemplate"
                        + " mounts into the container " + Names.WORKER_CONTAINER
                        + "; add a volume and a volumeMount for it");
    }

    /** Why a folder can not be written by whichever worker it is; empty where it can. */
    Optional<String> refusalToWrite(String path, String folder, int workers) {
        Optional<VolumeMount> mount = mount(folder);
        if (mount.isEmpty()) {
            return refusalToRead(path, folder);
        }
        if (Boolean.TRUE.equals(mount.get().getReadOnly())) {
            return Optional.of(path + " is '" + folder + "', which is mounted readOnly; take that away from the"
                    + " volumeMount " + mount.get().getName());
        }
        boolean isOfOnePod = volumes.stream()
                .anyMatch(volume -> volume.getName().equals(mount.get().getName()) && volume.getEmptyDir() != null);
        return isOfOnePod
                ? Optional.of(path + " is '" + folder + "' in the volume "
                        + mount.get().getName() + ", an emptyDir, which is lost with its pod"
                        + (workers > 1 ? " and which the other workers do not see" : "")
                        + "; name a volume that all workers share, such as a claim of ReadWriteMany")
                : Optional.empty();
    }

    private Optional<VolumeMount> mount(String folder) {
        Path normal = Path.of(folder).normalize();
        return normal.isAbsolute()
                ? mounts.stream()
                        .filter(mount -> normal.startsWith(mount.getMountPath()))
                        .max(Comparator.comparing(mount -> mount.getMountPath().length()))
                : Optional.empty();
    }
}
