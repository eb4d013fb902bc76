/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Owns the folders that stand for the volumes of one pod. Invariant: once {@link #prepare} has returned, every volume
 * has its folder, and repeating it brings ConfigMaps and Secrets up to date. Used by one thread.
 */
final class PodVolumes {

    private final Pod pod;
    private final Path directory;
    private final Path claims;
    private final PodSources sources;
    private final Map<String, Path> folders = new HashMap<>();
    private final Map<String, FollowedFolder> followed = new HashMap<>();

    PodVolumes(Pod pod, Path directory, Path claims, PodSources sources) {
        this.pod = pod;
        this.directory = directory;
        this.claims = claims;
        this.sources = sources;
    }

    /** Makes or refreshes all volumes; throws when a source is missing that the pod needs. */
    void prepare() throws IOException, NotReadyException {
        for (Volume volume : pod.getSpec().getVolumes()) {
            folders.put(volume.getName(), prepare(volume));
        }
    }

    /** Where the container's mount paths lead. Only after {@link #prepare}. */
    Map<String, Path> mounts(Container container) throws IOException {
        Map<String, Path> mounts = new LinkedHashMap<>();
        for (VolumeMount mount : container.getVolumeMounts()) {
            Path folder = folders.get(mount.getName());
            if (folder == null) {
                throw new IOException("container " + container.getName() + " mounts volume " + mount.getName()
                        + ", which the pod does not have");
            }
            String part = mount.getSubPath();
            Path target = part == null || part.isEmpty()
                    ? folder
                    : folder.resolve(part).normalize();
            if (!target.startsWith(folder)) {
                throw new IOException("subPath " + part + " of volume " + mount.getName() + " leads out of it");
            }
            if (!Files.exists(target)) {
                Files.createDirectories(target);
            }
            mounts.put(mount.getMountPath(), target);
        }
        return mounts;
    }

    private Path prepare(Volume volume) throws IOException, NotReadyException {
        Path folder = directory.resolve(volume.getName());
        if (volume.getEmptyDir() != null) {
            return Files.createDirectories(folder);
        }
        if (volume.getConfigMap() != null) {
            var source = volume.getConfigMap();
            return follow(folder, false, configMap(source.getName(), source.getItems(), source.getOptional()));
        }
        if (volume.getSecret() != null) {
            var source = volume.getSecret();
            return follow(folder, true, secret(source.getSecretName(), source.getItems(), source.getOptional()));
        }
        if (volume.getProjected() != null) {
            Map<String, byte[]> files = new TreeMap<>();
            for (VolumeProjection source : volume.getProjected().getSources()) {
                files.putAll(projected(volume, source));
            }
            return follow(folder, true, files);
        }
        if (volume.getPersistentVolumeClaim() != null) {
            return claim(volume.getPersistentVolumeClaim().getClaimName());
        }
        if (volume.getHostPath() != null) {
            return Path.of(volume.getHostPath().getPath());
        }
        throw unsupported(volume);
    }

    private Map<String, byte[]> projected(Volume volume, VolumeProjection source) throws NotReadyException {
        if (source.getConfigMap() != null) {
            var map = source.getConfigMap();
            return configMap(map.getName(), map.getItems(), map.getOptional());
        }
        if (source.getSecret() != null) {
            var secret = source.getSecret();
            return secret(secret.getName(), secret.getItems(), secret.getOptional());
        }
        throw unsupported(volume);
    }

    private Path follow(Path folder, boolean secret, Map<String, byte[]> files) throws IOException {
        followed.computeIfAbsent(folder.toString(), key -> new FollowedFolder(folder, secret))
                .write(files);
        return folder;
    }

    private Map<String, byte[]> configMap(String name, List<KeyToPath> items, @Nullable Boolean optional)
            throws NotReadyException {
        ConfigMap map = sources.configMap(namespace(), name);
        if (map == null) {
            return absent("configmap", name, optional);
        }
        Map<String, byte[]> data = new TreeMap<>();
        if (map.getData() != null) {
            map.getData().forEach((key, value) -> data.put(key, value.getBytes(StandardCharsets.UTF_8)));
        }
        if (map.getBinaryData() != null) {
            map.getBinaryData()
                    .forEach((key, value) -> data.put(key, Base64.getDecoder().decode(value)));
        }
        return select(data, items, "configmap " + name, optional);
    }

    private Map<String, byte[]> secret(String name, List<KeyToPath> items, @Nullable Boolean optional)
            throws NotReadyException {
        Secret secret = sources.secret(namespace(), name);
        if (secret == null) {
            return absent("secret", name, optional);
        }
        Map<String, byte[]> data = new TreeMap<>();
        if (secret.getData() != null) {
            secret.getData()
                    .forEach((key, value) -> data.put(key, Base64.getDecoder().decode(value)));
        }
        return select(data, items, "secret " + name, optional);
    }

    private Map<String, byte[]> absent(String kind, String name, @Nullable Boolean optional) throws NotReadyException {
        if (Boolean.TRUE.equals(optional)) {
            return Map.of();
        }
        throw new NotReadyException("ContainerCreating", kind + " \"" + namespace() + "/" + name + "\" not found");
    }

    private static Map<String, byte[]> select(
            Map<String, byte[]> data, List<KeyToPath> items, String what, @Nullable Boolean optional)
            throws NotReadyException {
        if (items.isEmpty()) {
            return data;
        }
        Map<String, byte[]> selected = new TreeMap<>();
        for (KeyToPath item : items) {
            byte[] value = data.get(item.getKey());
            if (value != null) {
                selected.put(item.getPath(), value);
            } else if (!Boolean.TRUE.equals(optional)) {
                throw new NotReadyException("ContainerCreating", what + " has no key " + item.getKey());
            }
        }
        return selected;
    }

    private Path claim(String name) throws IOException, NotReadyException {
        PersistentVolumeClaim claim = sources.claim(namespace(), name);
        if (claim == null) {
            throw new NotReadyException("ContainerCreating", "persistentvolumeclaim \"" + name + "\" not found");
        }
        if (claim.getStatus() == null || !"Bound".equals(claim.getStatus().getPhase())) {
            throw new NotReadyException("ContainerCreating", "persistentvolumeclaim \"" + name + "\" is not bound yet");
        }
        return Files.createDirectories(claims.resolve(claim.getMetadata().getUid()));
    }

    private static NotReadyException unsupported(Volume volume) {
        return new NotReadyException(
                "ContainerCreating",
                "volume " + volume.getName()
                        + " is of a kind that the local kubelet can not mount;"
                        + " it mounts emptyDir, configMap, secret, projected"
                        + " (of the two), persistentVolumeClaim and hostPath");
    }

    private String namespace() {
        return pod.getMetadata().getNamespace();
    }
}
