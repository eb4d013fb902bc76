/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each PersistentVolumeClaim a volume, which is a folder, whatever its storage class is called, and deletes both
 * when the claim is gone. Invariant: a folder is deleted only when no pod runs on it. Its size is not limited. Used by
 * one thread.
 */
final class ClaimBinder {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimBinder.class);

    private final KubernetesClient client;
    private final Path folders;
    private final Map<String, String> released = new HashMap<>();

    ClaimBinder(KubernetesClient client, Path folders) {
        this.client = client;
        this.folders = folders;
    }

    void bind(PersistentVolumeClaim claim) {
        boolean isBound =
                claim.getStatus() != null && "Bound".equals(claim.getStatus().getPhase());
        if (isBound || claim.getMetadata().getDeletionTimestamp() != null) {
            return;
        }
        String uid = claim.getMetadata().getUid();
        String namespace = claim.getMetadata().getNamespace();
        Quantity size = claim.getSpec().getResources() == null
                        || claim.getSpec().getResources().getRequests() == null
                ? new Quantity("1Gi")
                : claim.getSpec().getResources().getRequests().getOrDefault("storage", new Quantity("1Gi"));
        List<String> modes = claim.getSpec().getAccessModes().isEmpty()
                ? List.of("ReadWriteOnce")
                : claim.getSpec().getAccessModes();
        try {
            Files.createDirectories(folders.resolve(uid));
            PersistentVolume volume = volume(claim, size, modes);
            if (client.persistentVolumes().withName(volumeName(uid)).get() == null) {
                client.persistentVolumes().resource(volume).create();
                client.persistentVolumes()
                        .withName(volumeName(uid))
                        .subresource("status")
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"Bound\"}}");
            }
            var target = client.persistentVolumeClaims()
                    .inNamespace(namespace)
                    .withName(claim.getMetadata().getName());
            target.patch(
                    PatchContext.of(PatchType.JSON_MERGE),
                    Serialization.asJson(
                            Map.of("metadata", Map.of("uid", uid), "spec", Map.of("volumeName", volumeName(uid)))));
            target.subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), boundStatus(uid, size, modes));
        } catch (KubernetesClientException | IOException e) {
            LOG.warn(
                    "a claim can not be bound: claim={}/{} cause={}",
                    namespace,
                    claim.getMetadata().getName(),
                    e.toString());
        }
    }

    private static String boundStatus(String uid, Quantity size, List<String> modes) {
        Map<String, Object> status = new HashMap<>(Map.of("phase", "Bound", "accessModes", modes));
        status.put("capacity", Map.of("storage", size.toString()));
        return Serialization.asJson(Map.of("metadata", Map.of("uid", uid), "status", status));
    }

    private PersistentVolume volume(PersistentVolumeClaim claim, Quantity size, List<String> modes) {
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(volumeName(claim.getMetadata().getUid()))
                .endMetadata()
                .withNewSpec()
                .withCapacity(Map.of("storage", size))
                .withAccessModes(modes)
                .withPersistentVolumeReclaimPolicy("Delete")
                .withStorageClassName(claim.getSpec().getStorageClassName())
                .withNewHostPath(folders.resolve(claim.getMetadata().getUid()).toString(), "Directory")
                .withNewClaimRef()
                .withApiVersion("v1")
                .withKind("PersistentVolumeClaim")
                .withNamespace(claim.getMetadata().getNamespace())
                .withName(claim.getMetadata().getName())
                .withUid(claim.getMetadata().getUid())
                .endClaimRef()
                .endSpec()
                .build();
    }

    /** The claim has gone; its folder follows with the next {@link #sweep} that finds nobody on it. */
    void release(PersistentVolumeClaim claim) {
        released.put(
                claim.getMetadata().getUid(),
                claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName());
    }

    /**
     * Deletes what was released and is not in use. A claim made anew under a name in use delays the deletion, no more.
     */
    void sweep(Set<String> inUse) {
        for (Map.Entry<String, String> claim : Map.copyOf(released).entrySet()) {
            if (inUse.contains(claim.getValue())) {
                continue;
            }
            Path folder = folders.resolve(claim.getKey());
            try {
                Trees.delete(folder);
                client.persistentVolumes().withName(volumeName(claim.getKey())).delete();
                released.remove(claim.getKey());
            } catch (IOException | KubernetesClientException e) {
                LOG.warn("the folder of a deleted claim is not deleted yet: folder={} cause={}", folder, e.toString());
            }
        }
    }

    private static String volumeName(String claimUid) {
        return "pvc-" + claimUid;
    }
}
