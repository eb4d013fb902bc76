/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import org.jspecify.annotations.Nullable;

/** What pods are made from, as last seen. Methods return at once, and null for what does not exist. Thread-safe. */
interface PodSources {

    @Nullable
    ConfigMap configMap(String namespace, String name);

    @Nullable
    Secret secret(String namespace, String name);

    @Nullable
    PersistentVolumeClaim claim(String namespace, String name);
}
