/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ClientAccessSpec;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A pod is changed when what it mounts has changed, so that its kubelet brings it at once. */
class MountedVersionsTest {

    private final World world = new World();

    @Test
    void aPodIsMadeWithTheVersionsThatItFinds() {
        List<String> written = world.settle();
        assertThat(pods()).isNotEmpty().allSatisfy((name, pod) -> assertThat(mounted(pod))
                .isEqualTo(versions(pod)));
        assertThat(written).noneMatch(write -> write.startsWith("patch "));
    }

    @Test
    void anEditOfTheConfigurationChangesEachPodOnceAndReplacesNone() {
        world.settle();
        Map<String, Pod> before = pods();
        world.edit(spec -> {
            ClientAccessSpec client = new ClientAccessSpec();
            client.name = "reports";
            spec.access.clients = List.of(client);
        });
        List<String> written = world.settle();
        assertThat(written.stream().filter(write -> write.startsWith("patch "))).hasSize(before.size());
        assertThat(pods()).allSatisfy((name, pod) -> {
            assertThat(mounted(pod)).isEqualTo(versions(pod)).isNotEqualTo(mounted(before.get(name)));
            assertThat(pod.getMetadata().getUid())
                    .isEqualTo(before.get(name).getMetadata().getUid());
        });
    }

    private Map<String, Pod> pods() {
        return new TreeMap<>(world.api.all(Pod.class));
    }

    private static String mounted(Pod pod) {
        return pod.getMetadata().getAnnotations().get(Names.MOUNTED_ANNOTATION);
    }

    private String versions(Pod pod) {
        return "config=" + version(ConfigMap.class, Names.config(World.CLUSTER)) + " tls="
                + version(Secret.class, Names.podCertificate(pod.getMetadata().getName()));
    }

    private String version(Class<? extends HasMetadata> kind, String name) {
        return world.api.all(kind).get(name).getMetadata().getResourceVersion();
    }
}
