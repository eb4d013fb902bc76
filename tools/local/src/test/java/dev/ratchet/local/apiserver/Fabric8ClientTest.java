/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.local.conformance.Api;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client that the operator and the kubelet use, as it comes: informers over WebSocket, apply, leases, logs. */
class Fabric8ClientTest {

    @TempDir
    Path folder;

    private ApiServer server;
    private Api api;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = ApiServer.start(ApiServerOptions.at(folder.resolve("kubeconfig")));
        api = Api.of(server.kubeconfig());
        client = api.client();
    }

    @AfterEach
    void stop() throws IOException {
        api.close();
        server.close();
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .addToData("k", value)
                .build();
    }

    @Test
    void anInformerSeesEverythingInOrder() {
        client.resource(map("a", "1")).create();
        List<String> seen = new CopyOnWriteArrayList<>();
        SharedIndexInformer<ConfigMap> informer = client.configMaps()
                .inNamespace("default")
                .inform(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(ConfigMap object) {
                        seen.add("added " + object.getMetadata().getName());
                    }

                    @Override
                    public void onUpdate(ConfigMap before, ConfigMap after) {
                        seen.add("updated " + after.getMetadata().getName() + " "
                                + after.getData().get("k"));
                    }

                    @Override
                    public void onDelete(ConfigMap object, boolean isUnknown) {
                        seen.add("deleted " + object.getMetadata().getName());
                    }
                });
        client.resource(map("b", "1")).create();
        client.resource(map("b", "2")).update();
        client.resource(map("a", "1")).delete();
        await().atMost(Duration.ofSeconds(60)).until(() -> seen.contains("deleted a"));
        assertThat(seen).containsExactly("added a", "added b", "updated b 2", "deleted a");
        assertThat(informer.getStore().list())
                .extracting(object -> object.getMetadata().getName())
                .containsExactly("b");
        informer.stop();
    }

    @Test
    void applyIsIdempotent() {
        PatchContext apply = new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager("ratchet-operator")
                .withForce(true)
                .build();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("i:1")
                .addNewPort()
                .withContainerPort(7400)
                .endPort()
                .endContainer()
                .endSpec()
                .build();
        Pod first = client.resource(pod).patch(apply);
        Pod second = client.resource(pod).patch(apply);
        assertThat(second.getMetadata().getResourceVersion())
                .isEqualTo(first.getMetadata().getResourceVersion());
        assertThat(first.getMetadata().getManagedFields()).hasSize(1);
    }

    @Test
    void logsAreReadAndFollowed() {
        server.register((request, sink) ->
                sink.write((request.container() + " " + request.tailLines().orElse(0))
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("p")
                        .withNamespace("default")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("c")
                        .withImage("i:1")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        assertThat(client.pods()
                        .inNamespace("default")
                        .withName("p")
                        .tailingLines(3)
                        .getLog())
                .isEqualTo("c 3");
    }

    /** As many objects as a large installation has: each is seen by each of the watches that an operator has. */
    @Test
    void aThousandObjectsReachEveryWatch() {
        List<SharedIndexInformer<ConfigMap>> informers = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 5; i++) {
            informers.add(client.configMaps().inAnyNamespace().inform());
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(api.post("/api/v1/namespaces/default/configmaps", "{metadata: {name: m" + i + "}}")
                            .code())
                    .isEqualTo(201);
        }
        for (SharedIndexInformer<ConfigMap> informer : informers) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> informer.getStore().list().size() == 1_000);
            informer.stop();
        }
    }
}
