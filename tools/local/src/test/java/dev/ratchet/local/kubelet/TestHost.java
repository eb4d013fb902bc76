/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import dev.ratchet.local.kubelet.ImageFolders.Image;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A kubelet without an API server: what runners say is kept, what they ask is in maps. */
final class TestHost implements PodHost, PodSources {

    final Map<String, ConfigMap> configMaps = new ConcurrentHashMap<>();
    final Map<String, Secret> secrets = new ConcurrentHashMap<>();
    final Map<String, PersistentVolumeClaim> claims = new ConcurrentHashMap<>();
    final List<PodStatus> statuses = new CopyOnWriteArrayList<>();
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<String> removed = new CopyOnWriteArrayList<>();
    private final KubeletOptions options;

    TestHost(Path directory, Path distribution) {
        ImageFolders images = new ImageFolders(
                List.of(new Image(Pattern.compile("test/.*"), "/opt/ratchet", distribution, List.of())));
        options = KubeletOptions.of(directory, images, Map.of("PATH", String.valueOf(System.getenv("PATH"))))
                .withRestartBackOff(Duration.ofMillis(100), Duration.ofSeconds(2));
    }

    PodStatus last() {
        return statuses.isEmpty() ? new PodStatus() : statuses.get(statuses.size() - 1);
    }

    @Override
    public KubeletOptions options() {
        return options;
    }

    @Override
    public PodSources sources() {
        return this;
    }

    @Override
    public void writeStatus(Pod pod, PodStatus status) {
        statuses.add(status);
    }

    @Override
    public void remove(Pod pod) {
        removed.add(pod.getMetadata().getUid());
    }

    @Override
    public void event(Pod pod, String type, String reason, String message) {
        events.add(reason + ": " + message);
    }

    @Override
    public @Nullable ConfigMap configMap(String namespace, String name) {
        return configMaps.get(name);
    }

    @Override
    public @Nullable Secret secret(String namespace, String name) {
        return secrets.get(name);
    }

    @Override
    public @Nullable PersistentVolumeClaim claim(String namespace, String name) {
        return claims.get(name);
    }
}
