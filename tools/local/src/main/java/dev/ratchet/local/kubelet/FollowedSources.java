/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows all ConfigMaps, Secrets and claims, so that what a pod is made from is at hand and a change reaches it. */
final class FollowedSources implements PodSources, AutoCloseable {

    private final SharedIndexInformer<ConfigMap> configMaps;
    private final SharedIndexInformer<Secret> secrets;
    private final SharedIndexInformer<PersistentVolumeClaim> claims;

    FollowedSources(KubernetesClient client) {
        configMaps = client.configMaps().inAnyNamespace().runnableInformer(0);
        secrets = client.secrets().inAnyNamespace().runnableInformer(0);
        claims = client.persistentVolumeClaims().inAnyNamespace().runnableInformer(0);
    }

    /** Returns when all have been listed once. Consumers are called on threads of the informers. */
    void start(
            Consumer<HasMetadata> changed,
            Consumer<PersistentVolumeClaim> claimed,
            Consumer<PersistentVolumeClaim> released) {
        configMaps.addEventHandler(new Follower<>(changed::accept, changed::accept));
        secrets.addEventHandler(new Follower<>(changed::accept, changed::accept));
        claims.addEventHandler(new Follower<>(
                claim -> {
                    claimed.accept(claim);
                    changed.accept(claim);
                },
                released));
        configMaps.run();
        secrets.run();
        claims.run();
    }

    @Override
    public @Nullable ConfigMap configMap(String namespace, String name) {
        return configMaps.getStore().getByKey(namespace + "/" + name);
    }

    @Override
    public @Nullable Secret secret(String namespace, String name) {
        return secrets.getStore().getByKey(namespace + "/" + name);
    }

    @Override
    public @Nullable PersistentVolumeClaim claim(String namespace, String name) {
        return claims.getStore().getByKey(namespace + "/" + name);
    }

    @Override
    public void close() {
        configMaps.stop();
        secrets.stop();
        claims.stop();
    }
}
